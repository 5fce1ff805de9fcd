import type { VerificationTemplate } from '@portal/contract/letter'
import type { Institution } from '@portal/contract/verification'

/** Returns a letter that cannot be mistaken for a real one: every value is marked as a specimen. */
export function makeSpecimenLetter(institution: Institution | undefined): VerificationTemplate {
  const name = institution?.name ?? 'Name of the University'
  return {
    header: {
      institution: name,
      address: institution?.address ?? 'Address of the registry',
      ref_number: 'SPECIMEN/0000/000000',
      date: 'January 1, 2000',
    },
    recipient: {
      company: 'Your Organisation',
      address: ['First line of its address', 'City, State', 'Country'],
    },
    subject: 'VERIFICATION OF CERTIFICATE: SPECIMEN GRADUATE (XX/0000/00000)',
    content: {
      opening:
        'We refer to your request for the verification of certificate number XX/0000/00000. ' +
        `The academic records of ${name} have been examined, and we confirm that the certificate was ` +
        'awarded by this institution with the following particulars:',
      certificate_details: {
        sn: '1',
        name: 'Specimen Graduate',
        degree: 'Bachelor of Specimens',
        class: 'Specimen Class',
        date: 'January 1, 2000',
      },
      closing:
        'The particulars above are those in our records on the date of this letter. This page is a ' +
        'specimen: it shows what a letter looks like and verifies nothing.',
      thanks: 'Thank you for your enquiry.',
    },
    signature: {
      name: 'Name of the Signatory',
      title: 'Office of the Signatory',
      for: 'Registrar',
      email: institution?.support_email ?? 'registry@example.test',
      signature_image: null,
      stamp_image: null,
    },
    assets: { logo: institution?.logo ?? null },
  }
}
