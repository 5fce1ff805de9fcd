import classes from './remote-boundary.module.css'

export function RemoteLoading() {
  return (
    <p role="status" className={classes.loading}>
      Loading…
    </p>
  )
}
