import { Button } from '@portal/ui/button'
import { ToastRegion } from '@portal/ui/toast'
import { showToast } from '@portal/ui/toast-store'
import { useEffect, useRef } from 'react'
import { Row } from '../layout.tsx'
import type { StoryInfo } from '../story.ts'

export const about: StoryInfo = {
  group: 'Feedback',
  title: 'Toast',
  text: 'The result of an action without a form. Errors stay until they are dismissed. The shell has the only region.',
  opens: 280,
}

export function OnAction() {
  return (
    <Row>
      <Button
        onClick={() => showToast({ tone: 'success', message: 'Payment status refreshed successfully.' })}
      >
        Show toast
      </Button>
      <Button onClick={() => showToast({ tone: 'danger', message: 'No data to export' })}>
        Show error toast
      </Button>
      <ToastRegion />
    </Row>
  )
}

/** The longest delay that a timer can have, in milliseconds: about 24 days. */
const DAYS = 2 ** 31 - 1

export function Tones() {
  const done = useRef(false)
  useEffect(() => {
    if (done.current) return
    done.current = true
    showToast({ tone: 'success', message: 'Profile updated successfully!', duration: DAYS })
    showToast({ tone: 'danger', message: 'The letter could not be downloaded. Please try again.' })
  }, [])
  return <ToastRegion />
}
