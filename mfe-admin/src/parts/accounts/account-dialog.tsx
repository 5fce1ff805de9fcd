import { CreateDialog, type CreateDialogProps } from './create-dialog.tsx'
import { EditDialog, type EditDialogProps } from './edit-dialog.tsx'

type Props = ({ kind: 'add' } & CreateDialogProps) | ({ kind: 'edit' } & EditDialogProps)

/** Both forms in one module, for they share nearly everything that they bring along. */
export default function AccountDialog(props: Props) {
  return props.kind === 'add' ? <CreateDialog {...props} /> : <EditDialog {...props} />
}
