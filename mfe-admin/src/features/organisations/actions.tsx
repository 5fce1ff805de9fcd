import { useSession } from '@portal/session/store'
import { Button } from '@portal/ui/button'
import { ConfirmDialog } from '@portal/ui/confirm-dialog'
import { DialogLoading } from '@portal/ui/dialog-loading'
import { Icon } from '@portal/ui/icon'
import { Menu, type MenuItem } from '@portal/ui/menu'
import { BadgeCheck, BadgeX, Ban, ChevronDown, HandCoins, Landmark, Play, UserCog } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import type { DialogProps } from './dialog-props.ts'
import { type StateAction, useChangeState } from './use-organisation.ts'

const dialogs = {
  credit: {
    title: 'Credit Bank Transfer',
    Dialog: lazy(() => import(/* webpackChunkName: "dialogs" */ './credit-dialog.tsx')),
  },
  payout: {
    title: 'Record Payout',
    Dialog: lazy(() => import(/* webpackChunkName: "dialogs" */ './payout-dialog.tsx')),
  },
  suspend: {
    title: 'Suspend',
    Dialog: lazy(() => import(/* webpackChunkName: "dialogs" */ './suspend-dialog.tsx')),
  },
  owner: {
    title: 'Appoint an Owner',
    Dialog: lazy(() => import(/* webpackChunkName: "dialogs" */ './owner-dialog.tsx')),
  },
}

const confirmations = {
  close: {
    title: 'Close this organisation?',
    label: 'Close',
    text: 'Members can then only read its records. Balance, holds and debt must be 0.',
  },
  unvet: {
    title: 'Remove the vetting?',
    label: 'Remove Vetting',
    text: 'The organisation is shown as not vetted until staff vet it again.',
  },
}

/** Actions for staff, who can vet and suspend; super admins can also manage money and owners, and close the organisation. */
export function Actions(props: Omit<DialogProps, 'onClose'>) {
  const { organisation } = props
  const isSuperAdmin = useSession(session => session.user?.role === 'super_admin')
  const [open, setOpen] = useState<keyof typeof dialogs>()
  const [confirming, setConfirming] = useState<keyof typeof confirmations>()
  const change = useChangeState(organisation, () => setConfirming(undefined))
  const { state, vetted_at } = organisation
  const isBusy = (action: StateAction) => change.isPending && change.variables === action
  const isClosed = state === 'closed'

  const menuItems: (MenuItem | false)[] = [
    !isClosed &&
      vetted_at !== null && {
        id: 'unvet',
        label: 'Remove Vetting',
        icon: BadgeX,
        onSelect: () => setConfirming('unvet'),
      },
    isSuperAdmin &&
      !isClosed && {
        id: 'owner',
        label: 'Appoint an Owner',
        icon: UserCog,
        onSelect: () => setOpen('owner'),
      },
    isSuperAdmin &&
      !isClosed && {
        id: 'close',
        label: 'Close Organisation',
        icon: Ban,
        danger: true,
        onSelect: () => setConfirming('close'),
      },
    isSuperAdmin &&
      isClosed && { id: 'reopen', label: 'Reopen', icon: Play, onSelect: () => change.mutate('reopen') },
  ]
  const items = menuItems.filter(item => item !== false)
  const dialog = open && dialogs[open]
  const confirmation = confirming && confirmations[confirming]
  return (
    <>
      {!isClosed && !vetted_at && (
        <Button icon={BadgeCheck} busy={isBusy('vet')} onClick={() => change.mutate('vet')}>
          Vet
        </Button>
      )}
      {state === 'active' && (
        <Button icon={Ban} onClick={() => setOpen('suspend')}>
          Suspend
        </Button>
      )}
      {state === 'suspended' && (
        <Button icon={Play} busy={isBusy('resume')} onClick={() => change.mutate('resume')}>
          Resume
        </Button>
      )}
      {isSuperAdmin && (
        <>
          <Button icon={HandCoins} onClick={() => setOpen('payout')}>
            Pay Out
          </Button>
          {!isClosed && (
            <Button variant="primary" icon={Landmark} onClick={() => setOpen('credit')}>
              Credit Bank Transfer
            </Button>
          )}
        </>
      )}
      {items.length > 0 && (
        <Menu
          label="More actions"
          trigger={
            <>
              More
              <Icon icon={ChevronDown} size={16} />
            </>
          }
          items={items}
        />
      )}
      {dialog && (
        <Suspense fallback={<DialogLoading title={dialog.title} onClose={() => setOpen(undefined)} />}>
          <dialog.Dialog {...props} onClose={() => setOpen(undefined)} />
        </Suspense>
      )}
      <ConfirmDialog
        open={confirming !== undefined}
        title={confirmation?.title ?? ''}
        confirmLabel={confirmation?.label ?? ''}
        busy={change.isPending}
        onConfirm={() => confirming && change.mutate(confirming)}
        onCancel={() => setConfirming(undefined)}
      >
        {confirmation?.text}
      </ConfirmDialog>
    </>
  )
}
