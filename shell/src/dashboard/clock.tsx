import { formatShortDate, formatTime } from '@portal/format/dates'
import { useEffect, useState } from 'react'
import classes from './clock.module.css'

/** Shows the date and time, updated each second. Screen readers do not announce it, because they would never stop. */
export function Clock() {
  const [now, setNow] = useState(() => new Date())
  useEffect(() => {
    const timer = setInterval(() => setNow(new Date()), 1000)
    return () => clearInterval(timer)
  }, [])
  return (
    <time className={classes.clock} dateTime={now.toISOString()}>
      <span className={classes.date}>{formatShortDate(now)}</span> {formatTime(now)}
    </time>
  )
}
