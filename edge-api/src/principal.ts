/** The account behind a request, as currently in the database: never as in the token. */
export interface Principal {
  id: string
  sessionId: string
  email: string
  firstname: string
  lastname: string
  role: 'user' | 'admin' | 'super_admin'
}
