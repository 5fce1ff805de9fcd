import './zod-setup.ts'
import * as z from 'zod'
import * as field from './fields.ts'
import { change, changeActions, changeSources } from './history.ts'
import { route } from './route.ts'
import { choice, filter, pageQuery, pagination } from './shapes.ts'

/** A change to the register, with the certificate that was changed. */
export const registerChange = change.extend({
  certificate_id: z.string(),
  /** The certificate's number after the change; this remains even after the certificate is purged. */
  certificate_number: z.string(),
})
export type RegisterChange = z.infer<typeof registerChange>

export const registerChanges = {
  list: route({
    method: 'GET',
    path: '/admin/register-changes',
    access: 'admin',
    summary:
      'Changes to certificates, newest first, with the actor and the old and new values. Certificates added by an upload have no ' +
      'separate change.',
    query: z.object({
      actor: filter(z.string().max(255)).describe(
        'Email address or account ID of the person who made the change.',
      ),
      action: choice(changeActions),
      source: choice(changeSources),
      search: field.searchText().default('').describe('Beginning of a certificate number.'),
      date_from: filter(field.date()),
      date_to: filter(field.date()),
      ...pageQuery(20),
    }),
    reply: z.object({ changes: z.array(registerChange), pagination }),
    csv: {
      title: 'Register changes',
      file: 'register_changes',
      columns: [
        'at',
        'actor_email',
        'certificate_number',
        'action',
        'field',
        'from',
        'to',
        'reason',
        'source',
        'source_label',
        'version',
      ],
    },
  }),
}
