/** The account behind a request, as the database has it now: never as the token says. */
export interface Principal {
  id: string
  sessionId: string
  email: string
  firstname: string
  lastname: string
  role: 'user' | 'admin' | 'super_admin'
}
