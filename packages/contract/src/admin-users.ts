import './zod-setup.ts'
import * as z from 'zod'
import { activityLog } from './admin-logs.ts'
import * as field from './fields.ts'
import { changesReply } from './history.ts'
import { route } from './route.ts'
import {
  choice,
  filter,
  idParam,
  message,
  pageQuery,
  pagination,
  type Role,
  role,
  timestamp,
  version,
} from './shapes.ts'

/** An account as shown to staff, without the password hash. */
export const adminUser = z.object({
  id: z.string(),
  firstname: z.string(),
  middlename: z.string().nullable(),
  lastname: z.string(),
  email: z.string(),
  phone: z.string(),
  address: z.string(),
  role,
  is_enabled: z.boolean(),
  is_verified: z.boolean(),
  created_at: timestamp,
  version,
})
export type AdminUser = z.infer<typeof adminUser>

/**
 * Input for a new account; phone and address are optional (specification, section 5). The password is ignored if the account is
 * created by invitation, because the invited person chooses one through the emailed link.
 */
export const userCreation = z
  .object({
    firstname: field.firstname(),
    middlename: field.middlename(),
    lastname: field.lastname(),
    email: field.email(),
    password: field.newPasswordOrNone().describe('Required unless `invite` is true.'),
    phone: field.optionalPhone(),
    address: field.optionalAddress(),
    role: role.default('user'),
    invite: z.boolean({ error: 'Please use true or false.' }).default(false),
  })
  .refine(({ invite, password }) => invite || password !== '', {
    path: ['password'],
    error: field.PASSWORD_REQUIRED,
    // Run this check even if other fields are invalid, so that all messages are reported together.
    when: ({ issues }) => issues.every(({ path }) => path?.length),
  })

/** Changes to an account. Omitted fields keep their values; an empty phone or address is cleared. */
export const userUpdate = z.object({
  firstname: field.firstname(),
  lastname: field.lastname(),
  email: field.email(),
  phone: field.optionalPhone(),
  address: field.optionalAddress(),
  role: role.optional(),
})

export const userSorts = ['-created_at', 'created_at', 'lastname', '-lastname', 'email', '-email'] as const
export type UserSort = (typeof userSorts)[number]

export const userStatuses = ['enabled', 'disabled', 'verified', 'unverified'] as const
export type UserStatus = (typeof userStatuses)[number]

const ROLE_LIST = /^(?:user|admin|super_admin)(?:,(?:user|admin|super_admin))*$/

// One or more roles separated by commas; empty means no filter.
const roleFilter = z
  .string()
  .refine(text => text === '' || ROLE_LIST.test(text), 'Please choose user, admin or super_admin.')
  .transform((text): readonly Role[] => role.options.filter(option => text.split(',').includes(option)))
  .default([])
const statusFilter = z
  .enum([...userStatuses, ''], { error: `Please choose one of ${userStatuses.join(', ')}.` })
  .transform((text): UserStatus | undefined => (text === '' ? undefined : text))
  .optional()

const userReply = z.object({ message: z.string(), user: adminUser })

export const adminUsers = {
  list: route({
    method: 'GET',
    path: '/admin/users',
    access: 'admin',
    summary:
      'Accounts, newest first; searches words of name, email, company and phone number, in any order. `role` takes several, comma-separated. As a ' +
      'file, admins get ordinary users only.',
    query: z.object({
      search: z.string().trim().max(200).default(''),
      role: roleFilter,
      status: statusFilter,
      created_from: filter(field.date()),
      created_to: filter(field.date()),
      sort: choice(userSorts),
      ...pageQuery(20),
    }),
    reply: z.object({ users: z.array(adminUser), pagination }),
    csv: {
      title: 'Users',
      file: 'users',
      columns: [
        'id',
        'firstname',
        'middlename',
        'lastname',
        'email',
        'phone',
        'address',
        'role',
        'is_enabled',
        'is_verified',
        'created_at',
        'version',
      ],
    },
  }),
  create: route({
    method: 'POST',
    path: '/admin/users',
    access: 'admin',
    summary:
      'Create an unverified account and email its verification link, or with `invite` a link that sets its password. Roles ' +
      'other than user: super admins only.',
    body: userCreation,
    reply: userReply,
    record: 'user',
    status: 201,
    refusals: ['EMAIL_TAKEN'],
  }),
  update: route({
    method: 'PUT',
    path: '/admin/users/{id}',
    access: 'admin',
    summary: 'Edit an account. Admins: users only, and no role. A new email address must be verified again.',
    params: idParam,
    body: userUpdate,
    reply: userReply,
    ifMatch: true,
    record: 'user',
    refusals: ['EMAIL_TAKEN'],
  }),
  toggleStatus: route({
    method: 'PUT',
    path: '/admin/users/{id}/toggle-status',
    access: 'admin',
    summary: 'Disable an enabled account, ending its sessions, or enable a disabled one.',
    params: idParam,
    reply: userReply,
    ifMatch: true,
    record: 'user',
  }),
  verifyEmail: route({
    method: 'PUT',
    path: '/admin/users/{id}/verify-email',
    access: 'admin',
    summary: 'Verify an email address manually.',
    params: idParam,
    reply: userReply,
    ifMatch: true,
    record: 'user',
  }),
  changeRole: route({
    method: 'PUT',
    path: '/admin/users/{id}/role',
    access: 'super_admin',
    summary: 'Change the role of another account; applies to its sessions from the next call.',
    params: idParam,
    body: z.object({ role }),
    reply: userReply,
    ifMatch: true,
    record: 'user',
  }),
  resendVerification: route({
    method: 'POST',
    path: '/admin/users/{id}/resend-verification',
    access: 'admin',
    summary: 'Resend the verification link of an unverified account.',
    params: idParam,
    reply: message,
  }),
  read: route({
    method: 'GET',
    path: '/admin/users/{id}',
    access: 'admin',
    summary: 'One account with its figures. Parts that only super admins may see are null for admins.',
    params: idParam,
    reply: z.object({
      user: adminUser,
      /** Organisations that the account belongs to, with its role in each. */
      organisations: z.array(z.object({ id: z.string(), name: z.string(), role: z.string() })),
      counts: z.object({
        verifications: z.int().describe('Paid verifications.'),
        payments: z.int().describe('All payments, including those that were not paid.'),
      }),
      second_factor: z.object({ is_set_up: z.boolean() }).nullable(),
      /** When the account will be erased; `due_at` is null if no erasure has been requested. */
      erasure: z.object({ due_at: timestamp.nullable() }).nullable(),
    }),
    record: 'user',
  }),
  history: route({
    method: 'GET',
    path: '/admin/users/{id}/history',
    access: 'admin',
    summary:
      'Every known change to an account, newest first; without values once it has been erased. Staff accounts: super admins only.',
    params: idParam,
    query: z.object(pageQuery(20)),
    reply: changesReply,
  }),
  activity: route({
    method: 'GET',
    path: '/admin/users/{id}/activity',
    access: 'admin',
    summary: 'Entries of the activity log by an account, newest first. Staff accounts: super admins only.',
    params: idParam,
    query: z.object(pageQuery(20)),
    reply: z.object({ logs: z.array(activityLog), pagination }),
  }),
}
