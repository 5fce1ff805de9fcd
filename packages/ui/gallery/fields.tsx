import { Button } from '@portal/ui/button'
import { Checkbox } from '@portal/ui/checkbox'
import { Checklist } from '@portal/ui/checklist'
import { FilterBar } from '@portal/ui/filter-bar'
import { FormErrorSummary } from '@portal/ui/form-error-summary'
import { FormActions, FormLayout, FormRow } from '@portal/ui/form-layout'
import { Panel } from '@portal/ui/panel'
import { PasswordInput } from '@portal/ui/password-input'
import { RadioGroup } from '@portal/ui/radio-group'
import { Select } from '@portal/ui/select'
import { TextArea } from '@portal/ui/text-area'
import { TextInput } from '@portal/ui/text-input'
import { Search } from 'lucide-react'
import { useState } from 'react'
import styles from './gallery.module.css'

const roles = [
  { value: 'user', label: 'User' },
  { value: 'admin', label: 'Administrator' },
  { value: 'super_admin', label: 'Super Administrator' },
]

export function Fields() {
  const [number, setNumber] = useState('')
  const [password, setPassword] = useState('Demo')
  const [policy, setPolicy] = useState('free')
  return (
    <Panel title="Fields" variant="plain">
      <div className={styles.stack}>
        <div className={styles.columns}>
          <FormLayout>
            <TextInput
              label="Certificate number"
              help="Enter it exactly as printed on the certificate."
              placeholder="UG/2019/00123"
              value={number}
              onChange={event => setNumber(event.target.value.toUpperCase())}
              mono
              upper
              large
            />
            <FormRow>
              <TextInput label="First name" autoComplete="given-name" defaultValue="Adébáyọ̀" />
              <TextInput label="Middle name" optional />
            </FormRow>
            <TextInput
              id="email"
              label="Email"
              type="email"
              defaultValue="ada@"
              error="Please enter a valid email address"
            />
            <TextInput label="Account email" value="user@demo.test" readOnly help="Cannot be changed." />
            <TextInput label="Verification fee" numeric inputMode="decimal" defaultValue="5000.00" />
            <TextInput label="Disabled" disabled defaultValue="Not now" />
          </FormLayout>
          <FormLayout>
            <PasswordInput
              label="New password"
              autoComplete="new-password"
              value={password}
              onChange={event => setPassword(event.target.value)}
              aria-describedby="requirements"
            />
            <Checklist
              id="requirements"
              label="Password requirements"
              items={[
                { label: 'At least 8 characters', done: password.length >= 8 },
                { label: 'One uppercase letter', done: /[A-Z]/.test(password) },
                { label: 'One lowercase letter', done: /[a-z]/.test(password) },
                { label: 'One number', done: /\d/.test(password) },
              ]}
            />
            <Select label="Role" options={roles} />
            <TextArea label="Address" help="Company name, address line 1, line 2, city, state, country" />
            <RadioGroup
              legend="Unknown certificates"
              value={policy}
              onChange={setPolicy}
              options={[
                { value: 'free', label: 'Report before payment', help: 'Nothing is charged.' },
                {
                  value: 'charge',
                  label: 'Report after payment',
                  help: 'Existence is not revealed before payment.',
                },
                { value: 'other', label: 'Not available', disabled: true },
              ]}
            />
            <Checkbox
              label="Send the verification link"
              help="The address must be confirmed before login."
              defaultChecked
            />
            <Checkbox label="I have checked the number" error="Please confirm" />
            <FormActions>
              <Button variant="primary">Save</Button>
              <Button>Cancel</Button>
            </FormActions>
          </FormLayout>
        </div>
        <FormErrorSummary
          errors={[
            { field: 'email', message: 'Please enter a valid email address' },
            { field: 'phone', message: 'Phone number is required' },
          ]}
        />
        <FilterBar label="Filter users" actions={<Button>Export CSV</Button>}>
          <TextInput label="Search" type="search" icon={Search} placeholder="Name or email" />
          <Select label="Filter by role" options={roles} placeholder="All roles" />
          <TextInput label="From" type="date" defaultValue="2026-01-01" />
        </FilterBar>
      </div>
    </Panel>
  )
}
