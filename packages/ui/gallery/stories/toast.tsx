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
  viewportHeight: 280,
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
const MAX_DELAY_MS = 2 ** 31 - 1

export function Tones() {
  const hasShown = useRef(false)
  useEffect(() => {
    if (hasShown.current) return
    hasShown.current = true
    showToast({ tone: 'success', message: 'Profile updated successfully!', duration: MAX_DELAY_MS })
    showToast({ tone: 'danger', message: 'The letter could not be downloaded. Please try again.' })
  }, [])
  return <ToastRegion />
}
