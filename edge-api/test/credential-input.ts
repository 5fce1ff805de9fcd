import type { CredentialInput } from '../src/letters/credential.ts'
import { buildStatusEntries } from '../src/letters/status-list.ts'

/** Returns input for a credential that has every possible field. */
export const makeCredentialInput = ({
  publicUrl,
  issuedAt,
}: {
  publicUrl: string
  issuedAt: number
}): CredentialInput => ({
  code: 'ABCDEFGHJKMN',
  certificateId: '7b0fbf1c-4b6f-4a53-9c0e-0d9f3a3b8a11',
  certificateNumber: 'UG/2019/00123',
  graduationDate: '2019-07-01',
  issuedAt,
  status: buildStatusEntries(7, publicUrl),
  template: {
    header: { institution: 'Ìmọ́lẹ̀ University', address: 'Road 1', ref_number: 'CV/1', date: 'May 1, 2026' },
    recipient: { company: 'Zenith Talent Ltd', address: ['12 Marina Road', 'Lagos'] },
    subject: 'VERIFICATION OF CERTIFICATE',
    content: {
      opening: 'We refer to the request.',
      certificate_details: {
        sn: '1',
        name: 'Adébáyọ̀ Ọláṣẹ́ńí',
        degree: 'B.Sc. Law',
        class: 'Pass',
        date: 'July 1, 2019',
      },
      closing: 'As on record.',
      thanks: 'Thank you.',
    },
    signature: {
      name: 'A. Bello',
      title: 'Registrar',
      for: 'Vice-Chancellor',
      email: 'registry@imole.test',
      signature_image: null,
      stamp_image: null,
    },
    assets: { logo: null },
  },
})
