import { CreateDialog, type CreateDialogProps } from './create-dialog.tsx'
import { EditDialog, type EditDialogProps } from './edit-dialog.tsx'
import { PersonalDataDialog, type PersonalDataDialogProps } from './personal-data-dialog.tsx'
import { ResetAppDialog, type ResetAppDialogProps } from './reset-app-dialog.tsx'

type Props =
  | ({ kind: 'add' } & CreateDialogProps)
  | ({ kind: 'edit' } & EditDialogProps)
  | ({ kind: 'reset-authenticator' } & ResetAppDialogProps)
  | ({ kind: 'data' } & PersonalDataDialogProps)

/** A dialog with one of the account forms. The forms are in one chunk, because they share most of their dependencies. */
export default function AccountDialog(props: Props) {
  switch (props.kind) {
    case 'add':
      return <CreateDialog {...props} />
    case 'edit':
      return <EditDialog {...props} />
    case 'reset-authenticator':
      return <ResetAppDialog {...props} />
    case 'data':
      return <PersonalDataDialog {...props} />
  }
}
