import { saveFile } from '@portal/account-ui/save-file'
import { Button } from '@portal/ui/button'
import { CopyButton } from '@portal/ui/copy-button'
import { FormActions, FormLayout } from '@portal/ui/form-layout'
import { Code } from '@portal/ui/mono'
import { Download } from 'lucide-react'
import styles from './security.module.css'

/** The recovery codes, which are shown only once. */
export function RecoveryCodes({ codes, onSaved }: { codes: readonly string[]; onSaved: () => void }) {
  const text = `${codes.join('\n')}\n`
  return (
    <FormLayout>
      <p role="status">
        Your authenticator app works. If you lose it, each of these codes lets you in once. They are not shown
        again: print them or keep them in a password manager.
      </p>
      <div className={styles.keep}>
        <ul className={styles.codes}>
          {codes.map(code => (
            <li key={code}>
              <Code>{code}</Code>
            </li>
          ))}
        </ul>
        <div className={styles.tools} data-print="hidden">
          <div>
            <CopyButton text={text} label="Copy codes" />
          </div>
          <Button
            size="sm"
            icon={Download}
            onClick={() => saveFile(new Blob([text], { type: 'text/plain' }), 'recovery_codes.txt')}
          >
            Save as file
          </Button>
        </div>
      </div>
      <FormActions>
        <Button variant="primary" onClick={onSaved}>
          I have saved them
        </Button>
      </FormActions>
    </FormLayout>
  )
}
