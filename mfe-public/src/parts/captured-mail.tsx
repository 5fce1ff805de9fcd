/** Link to captured mail, on portals that do not send any mail. The HTML of such a portal contains the mailbox's address. */
export function CapturedMail({ email }: { email: string }) {
  const { mailbox } = document.documentElement.dataset
  if (!mailbox) return null
  return (
    <>
      This portal captures its mail instead of sending it:{' '}
      <a href={`${mailbox}?to=${encodeURIComponent(email)}`}>open the mailbox</a>.
    </>
  )
}
