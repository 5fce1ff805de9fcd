export default function LandingPage() {
  return (
    <main>
      <h1>Certificate Verification Portal</h1>
    </main>
  )
}
