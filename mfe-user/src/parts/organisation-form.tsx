import { fieldOf } from '@portal/account-ui/form-props'
import { type OwnOrganisation, organisationProfile } from '@portal/contract/organisation-shapes'
import { FormRow } from '@portal/ui/form-layout'
import { TextInput } from '@portal/ui/text-input'
import type { UseFormReturn } from 'react-hook-form'
import * as z from 'zod'

const { name, address, contact_email, phone, registration_number, website } = organisationProfile.shape
const { line1, line2, city, state, country } = address.shape

/** Schema of the profile form, with a field for each line of the address. */
export const organisationForm = z
  .object({
    name,
    line1,
    line2,
    city,
    state,
    country,
    contact_email,
    phone,
    registration_number,
    website,
  })
  .transform(({ line1, line2, city, state, country, ...rest }) => ({
    ...rest,
    address: { line1, line2, city, state, country },
  }))

export type OrganisationValues = z.input<typeof organisationForm>
export type OrganisationBody = z.output<typeof organisationForm>

export const blankOrganisation: OrganisationValues = {
  name: '',
  line1: '',
  line2: '',
  city: '',
  state: '',
  country: 'Nigeria',
  contact_email: '',
  phone: '',
  registration_number: '',
  website: '',
}

export const toOrganisationValues = ({ address, ...organisation }: OwnOrganisation): OrganisationValues => ({
  name: organisation.name,
  line1: address.line1,
  line2: address.line2 ?? '',
  city: address.city,
  state: address.state,
  country: address.country,
  contact_email: organisation.contact_email,
  phone: organisation.phone,
  registration_number: organisation.registration_number ?? '',
  website: organisation.website ?? '',
})

/** The fields of an organisation's profile. */
export function OrganisationFields({
  form,
  readOnly = false,
}: {
  form: UseFormReturn<OrganisationValues, unknown, OrganisationBody>
  readOnly?: boolean
}) {
  const fieldProps = fieldOf(form, { clearOnEdit: true })
  const field = (name: keyof OrganisationValues) => ({ ...fieldProps(name), readOnly })
  return (
    <>
      <TextInput
        label="Organisation name"
        autoComplete="organization"
        help="Printed on your letters."
        {...field('name')}
      />
      <FormRow>
        <TextInput label="Address line 1" autoComplete="address-line1" {...field('line1')} />
        <TextInput label="Address line 2" optional autoComplete="address-line2" {...field('line2')} />
      </FormRow>
      <FormRow>
        <TextInput label="City" autoComplete="address-level2" {...field('city')} />
        <TextInput label="State" autoComplete="address-level1" {...field('state')} />
        <TextInput label="Country" autoComplete="country-name" {...field('country')} />
      </FormRow>
      <FormRow>
        <TextInput
          label="Contact email"
          type="email"
          inputMode="email"
          autoComplete="email"
          {...field('contact_email')}
        />
        <TextInput label="Phone number" type="tel" inputMode="tel" autoComplete="tel" {...field('phone')} />
      </FormRow>
      <FormRow>
        <TextInput
          label="Registration number"
          optional
          autoComplete="off"
          help="For example, from the Corporate Affairs Commission."
          {...field('registration_number')}
        />
        <TextInput label="Website" optional inputMode="url" autoComplete="url" {...field('website')} />
      </FormRow>
    </>
  )
}
