// Made by tools/migrations.mjs from db/migrations/*.sql. Do not edit.
export const migrations: readonly { name: string; statements: readonly string[] }[] = [
  {
    name: '0000_baseline',
    statements: [
      `CREATE TABLE \`mail_tokens\` (
	\`hash\` text PRIMARY KEY NOT NULL,
	\`purpose\` text NOT NULL,
	\`user_id\` text NOT NULL,
	\`created_at\` integer NOT NULL,
	\`expires_at\` integer NOT NULL,
	\`used_at\` integer,
	FOREIGN KEY (\`user_id\`) REFERENCES \`users\`(\`id\`) ON UPDATE no action ON DELETE cascade
);`,
      `CREATE INDEX \`mail_tokens_by_user\` ON \`mail_tokens\` (\`user_id\`,\`purpose\`);`,
      `CREATE INDEX \`mail_tokens_by_expiry\` ON \`mail_tokens\` (\`expires_at\`);`,
      `CREATE TABLE \`notifications\` (
	\`seq\` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	\`id\` text NOT NULL,
	\`user_id\` text NOT NULL,
	\`kind\` text NOT NULL,
	\`title\` text NOT NULL,
	\`body\` text NOT NULL,
	\`link\` text,
	\`created_at\` integer NOT NULL,
	\`read_at\` integer,
	FOREIGN KEY (\`user_id\`) REFERENCES \`users\`(\`id\`) ON UPDATE no action ON DELETE cascade
);`,
      `CREATE UNIQUE INDEX \`notifications_id_unique\` ON \`notifications\` (\`id\`);`,
      `CREATE INDEX \`notifications_by_user\` ON \`notifications\` (\`user_id\`,\`seq\`);`,
      `CREATE INDEX \`notifications_unread\` ON \`notifications\` (\`user_id\`) WHERE read_at is null;`,
      `CREATE TABLE \`rate_limits\` (
	\`key\` text NOT NULL,
	\`window_start\` integer NOT NULL,
	\`count\` integer NOT NULL,
	\`expires_at\` integer NOT NULL,
	PRIMARY KEY(\`key\`, \`window_start\`)
);`,
      `CREATE INDEX \`rate_limits_by_expiry\` ON \`rate_limits\` (\`expires_at\`);`,
      `CREATE TABLE \`recovery_codes\` (
	\`hash\` text PRIMARY KEY NOT NULL,
	\`user_id\` text NOT NULL,
	\`used_at\` integer,
	FOREIGN KEY (\`user_id\`) REFERENCES \`users\`(\`id\`) ON UPDATE no action ON DELETE cascade
);`,
      `CREATE INDEX \`recovery_codes_by_user\` ON \`recovery_codes\` (\`user_id\`);`,
      `CREATE TABLE \`second_factors\` (
	\`user_id\` text PRIMARY KEY NOT NULL,
	\`sealed_secret\` text NOT NULL,
	\`created_at\` integer NOT NULL,
	\`confirmed_at\` integer,
	\`last_step\` integer DEFAULT 0 NOT NULL,
	FOREIGN KEY (\`user_id\`) REFERENCES \`users\`(\`id\`) ON UPDATE no action ON DELETE cascade
);`,
      `CREATE TABLE \`sessions\` (
	\`id\` text PRIMARY KEY NOT NULL,
	\`user_id\` text NOT NULL,
	\`created_at\` integer NOT NULL,
	\`expires_at\` integer NOT NULL,
	FOREIGN KEY (\`user_id\`) REFERENCES \`users\`(\`id\`) ON UPDATE no action ON DELETE cascade
);`,
      `CREATE INDEX \`sessions_by_user\` ON \`sessions\` (\`user_id\`);`,
      `CREATE INDEX \`sessions_by_expiry\` ON \`sessions\` (\`expires_at\`);`,
      `CREATE TABLE \`user_texts\` (
	\`seq\` integer PRIMARY KEY NOT NULL,
	\`user_id\` text NOT NULL,
	\`folded\` text NOT NULL
);`,
      `CREATE UNIQUE INDEX \`user_texts_user_id_unique\` ON \`user_texts\` (\`user_id\`);`,
      `CREATE TABLE \`users\` (
	\`id\` text PRIMARY KEY NOT NULL,
	\`email\` text NOT NULL,
	\`firstname\` text NOT NULL,
	\`middlename\` text,
	\`lastname\` text NOT NULL,
	\`phone\` text DEFAULT '' NOT NULL,
	\`address\` text DEFAULT '' NOT NULL,
	\`password_hash\` text NOT NULL,
	\`role\` text NOT NULL,
	\`is_enabled\` integer NOT NULL,
	\`verified_at\` integer,
	\`created_at\` integer NOT NULL,
	\`updated_at\` integer NOT NULL,
	\`erasure_due_at\` integer,
	\`erased_at\` integer,
	CONSTRAINT "users_role" CHECK("users"."role" in ('user', 'admin', 'super_admin'))
);`,
      `CREATE UNIQUE INDEX \`users_email_unique\` ON \`users\` (\`email\`);`,
      `CREATE INDEX \`users_by_creation\` ON \`users\` (\`created_at\`,\`id\`,\`is_enabled\`,\`verified_at\`,\`erased_at\`);`,
      `CREATE INDEX \`users_by_role\` ON \`users\` (\`role\`,\`created_at\`,\`id\`,\`is_enabled\`,\`verified_at\`,\`erased_at\`);`,
      `CREATE INDEX \`users_erasure_due\` ON \`users\` (\`erasure_due_at\`) WHERE erasure_due_at is not null;`,
      `CREATE TABLE \`activity_counters\` (
	\`unit\` text NOT NULL,
	\`period\` text NOT NULL,
	\`user_id\` text NOT NULL,
	\`type\` text NOT NULL,
	\`status\` text NOT NULL,
	\`total\` integer NOT NULL,
	PRIMARY KEY(\`unit\`, \`period\`, \`user_id\`, \`type\`, \`status\`)
);`,
      `CREATE INDEX \`activity_counters_by_user\` ON \`activity_counters\` (\`user_id\`);`,
      `CREATE TABLE \`activity_head\` (
	\`id\` integer PRIMARY KEY NOT NULL,
	\`sealed_id\` integer NOT NULL,
	\`hash\` text NOT NULL
);`,
      `CREATE TABLE \`activity_log\` (
	\`id\` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	\`user_id\` text,
	\`user_email\` text,
	\`activity\` text NOT NULL,
	\`type\` text,
	\`status\` text,
	\`details\` text DEFAULT '' NOT NULL,
	\`ip_address\` text,
	\`request_id\` text,
	\`at\` integer NOT NULL,
	\`salt\` text,
	\`commitment\` text,
	\`hash\` text
);`,
      `CREATE INDEX \`activity_by_time\` ON \`activity_log\` (\`at\`,\`id\`,\`user_id\`);`,
      `CREATE INDEX \`activity_by_type\` ON \`activity_log\` (\`type\`,\`at\`,\`id\`,\`user_id\`);`,
      `CREATE INDEX \`activity_by_user\` ON \`activity_log\` (\`user_id\`,\`at\`,\`id\`,\`type\`,\`status\`);`,
      `CREATE INDEX \`activity_unsealed\` ON \`activity_log\` (\`id\`) WHERE hash is null;`,
      `CREATE TABLE \`certificates\` (
	\`seq\` integer PRIMARY KEY NOT NULL,
	\`id\` text NOT NULL,
	\`certificate_number\` text NOT NULL,
	\`student_name\` text NOT NULL,
	\`matric_number\` text,
	\`course\` text NOT NULL,
	\`graduation_date\` text NOT NULL,
	\`grade\` text NOT NULL,
	\`department\` text NOT NULL,
	\`uploader_email\` text,
	\`uploaded_at\` integer NOT NULL,
	\`updated_at\` integer NOT NULL,
	\`withdrawn_at\` integer,
	\`folded\` text NOT NULL
);`,
      `CREATE UNIQUE INDEX \`certificates_id_unique\` ON \`certificates\` (\`id\`);`,
      `CREATE UNIQUE INDEX \`certificates_number\` ON \`certificates\` (\`certificate_number\`) WHERE withdrawn_at is null;`,
      `CREATE INDEX \`certificates_standing\` ON \`certificates\` (\`seq\`) WHERE withdrawn_at is null;`,
      `CREATE INDEX \`certificates_withdrawn\` ON \`certificates\` (\`withdrawn_at\`) WHERE withdrawn_at is not null;`,
      `CREATE TABLE \`upload_reports\` (
	\`upload_seq\` integer NOT NULL,
	\`last_id\` integer NOT NULL,
	\`rows\` text NOT NULL,
	PRIMARY KEY(\`upload_seq\`, \`last_id\`)
);`,
      `CREATE TABLE \`upload_rows\` (
	\`id\` integer PRIMARY KEY NOT NULL,
	\`line\` integer NOT NULL,
	\`certificate_number\` text NOT NULL,
	\`student_name\` text NOT NULL,
	\`matric_number\` text,
	\`course\` text NOT NULL,
	\`graduation_date\` text NOT NULL,
	\`grade\` text NOT NULL,
	\`department\` text NOT NULL,
	\`folded\` text,
	\`first_id\` integer,
	\`outcome\` text,
	\`changes\` text,
	\`error\` text
);`,
      `CREATE TABLE \`uploads\` (
	\`seq\` integer PRIMARY KEY NOT NULL,
	\`id\` text NOT NULL,
	\`uploader_id\` text NOT NULL,
	\`uploader_email\` text NOT NULL,
	\`ip_address\` text,
	\`filename\` text NOT NULL,
	\`dry_run\` integer NOT NULL,
	\`on_conflict\` text NOT NULL,
	\`date_order\` text,
	\`recognised_columns\` text,
	\`ignored_columns\` text,
	\`state\` text NOT NULL,
	\`total\` integer,
	\`processed\` integer DEFAULT 0 NOT NULL,
	\`created\` integer DEFAULT 0 NOT NULL,
	\`updated\` integer DEFAULT 0 NOT NULL,
	\`unchanged\` integer DEFAULT 0 NOT NULL,
	\`failed\` integer DEFAULT 0 NOT NULL,
	\`error\` text,
	\`cancel_requested\` integer DEFAULT false NOT NULL,
	\`lease_until\` integer,
	\`untidy\` integer DEFAULT true NOT NULL,
	\`created_at\` integer NOT NULL,
	\`finished_at\` integer
);`,
      `CREATE UNIQUE INDEX \`uploads_id_unique\` ON \`uploads\` (\`id\`);`,
      `CREATE INDEX \`uploads_open\` ON \`uploads\` (\`lease_until\`) WHERE untidy;`,
      `CREATE TABLE \`account_counters\` (
	\`day\` text NOT NULL,
	\`role\` text NOT NULL,
	\`is_enabled\` integer NOT NULL,
	\`is_verified\` integer NOT NULL,
	\`total\` integer NOT NULL,
	PRIMARY KEY(\`day\`, \`role\`, \`is_enabled\`, \`is_verified\`)
) WITHOUT ROWID;`,
      `CREATE TABLE \`certificate_blocks\` (
	\`block\` integer PRIMARY KEY NOT NULL,
	\`standing\` integer NOT NULL
);`,
      `CREATE TABLE \`item_counters\` (
	\`day\` text NOT NULL,
	\`result\` text NOT NULL,
	\`total\` integer NOT NULL,
	PRIMARY KEY(\`day\`, \`result\`)
) WITHOUT ROWID;`,
      `CREATE TABLE \`ledger_counters\` (
	\`day\` text NOT NULL,
	\`account\` text NOT NULL,
	\`currency\` text NOT NULL,
	\`entries\` integer NOT NULL,
	\`minor\` integer NOT NULL,
	PRIMARY KEY(\`day\`, \`account\`, \`currency\`)
) WITHOUT ROWID;`,
      `CREATE TABLE \`payment_counters\` (
	\`day\` text NOT NULL,
	\`status\` text NOT NULL,
	\`total\` integer NOT NULL,
	\`due_minor\` integer NOT NULL,
	\`paid_minor\` integer NOT NULL,
	PRIMARY KEY(\`day\`, \`status\`)
) WITHOUT ROWID;`,
      `CREATE TABLE \`user_counters\` (
	\`user_id\` text PRIMARY KEY NOT NULL,
	\`total\` integer DEFAULT 0 NOT NULL,
	\`found\` integer DEFAULT 0 NOT NULL,
	\`again\` integer DEFAULT 0 NOT NULL,
	\`missed\` integer DEFAULT 0 NOT NULL,
	\`spent_minor\` integer DEFAULT 0 NOT NULL
) WITHOUT ROWID;`,
      `CREATE TABLE \`front_end_reports\` (
	\`day\` text NOT NULL,
	\`remote\` text NOT NULL,
	\`release\` text NOT NULL,
	\`stage\` text NOT NULL,
	\`total\` integer NOT NULL,
	PRIMARY KEY(\`day\`, \`remote\`, \`release\`, \`stage\`)
);`,
      `CREATE TABLE \`kept_pointers\` (
	\`id\` integer PRIMARY KEY NOT NULL,
	\`content\` text NOT NULL,
	\`at\` integer NOT NULL
);`,
      `CREATE TABLE \`letter_authorities\` (
	\`kid\` text PRIMARY KEY NOT NULL,
	\`certificate\` text NOT NULL,
	\`sealed_key\` text NOT NULL,
	\`created_at\` integer NOT NULL,
	\`retired_at\` integer
);`,
      `CREATE TABLE \`letter_keys\` (
	\`kid\` text PRIMARY KEY NOT NULL,
	\`jwk\` text NOT NULL,
	\`certificate\` text NOT NULL,
	\`created_at\` integer NOT NULL,
	\`revoked_at\` integer
);`,
      `CREATE TABLE \`letters\` (
	\`code\` text PRIMARY KEY NOT NULL,
	\`ref_number\` text NOT NULL,
	\`payment_item_id\` text NOT NULL,
	\`user_id\` text NOT NULL,
	\`holder_name\` text,
	\`certificate_id\` text NOT NULL,
	\`template\` text NOT NULL,
	\`snapshot\` text,
	\`status\` text NOT NULL,
	\`issued_at\` integer NOT NULL,
	\`status_at\` integer NOT NULL,
	\`replaced_by\` text,
	\`told_status\` text DEFAULT 'valid' NOT NULL,
	\`tell_status\` text,
	\`checks\` integer DEFAULT 0 NOT NULL,
	\`last_checked_at\` integer,
	\`status_index\` integer,
	FOREIGN KEY (\`payment_item_id\`) REFERENCES \`payment_items\`(\`id\`) ON UPDATE no action ON DELETE no action
);`,
      `CREATE UNIQUE INDEX \`letters_ref_number_unique\` ON \`letters\` (\`ref_number\`);`,
      `CREATE INDEX \`letters_by_certificate\` ON \`letters\` (\`certificate_id\`);`,
      `CREATE UNIQUE INDEX \`letters_one_current\` ON \`letters\` (\`payment_item_id\`) WHERE replaced_by is null;`,
      `CREATE INDEX \`letters_by_item\` ON \`letters\` (\`payment_item_id\`);`,
      `CREATE UNIQUE INDEX \`letters_status_index\` ON \`letters\` (\`status_index\`);`,
      `CREATE INDEX \`letters_untold\` ON \`letters\` (\`user_id\`) WHERE tell_status is not null;`,
      `CREATE TABLE \`fulfilments\` (
	\`payment_item_id\` text PRIMARY KEY NOT NULL,
	\`payment_id\` text NOT NULL,
	\`user_id\` text NOT NULL,
	\`certificate_number\` text NOT NULL,
	\`outcome\` text NOT NULL,
	\`certificate_id\` text,
	\`snapshot\` text,
	\`at\` integer NOT NULL,
	FOREIGN KEY (\`payment_item_id\`) REFERENCES \`payment_items\`(\`id\`) ON UPDATE no action ON DELETE no action
);`,
      `CREATE INDEX \`fulfilments_by_user_number\` ON \`fulfilments\` (\`user_id\`,\`certificate_number\`,\`outcome\`);`,
      `CREATE INDEX \`fulfilments_by_certificate\` ON \`fulfilments\` (\`certificate_id\`);`,
      `CREATE TABLE \`ledger_entries\` (
	\`id\` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	\`payment_id\` text NOT NULL,
	\`account\` text NOT NULL,
	\`amount_minor\` integer NOT NULL,
	\`currency\` text NOT NULL,
	\`reason\` text NOT NULL,
	\`at\` integer NOT NULL,
	FOREIGN KEY (\`payment_id\`) REFERENCES \`payments\`(\`id\`) ON UPDATE no action ON DELETE no action
);`,
      `CREATE INDEX \`ledger_by_payment\` ON \`ledger_entries\` (\`payment_id\`);`,
      `CREATE INDEX \`ledger_by_account\` ON \`ledger_entries\` (\`account\`,\`at\`,\`id\`);`,
      `CREATE INDEX \`ledger_by_time\` ON \`ledger_entries\` (\`at\`,\`id\`);`,
      `CREATE TABLE \`refunds\` (
	\`id\` text PRIMARY KEY NOT NULL,
	\`payment_id\` text NOT NULL,
	\`amount_minor\` integer NOT NULL,
	\`reason\` text NOT NULL,
	\`status\` text NOT NULL,
	\`idempotency_key\` text NOT NULL,
	\`created_at\` integer NOT NULL,
	\`updated_at\` integer NOT NULL,
	\`currency\` text DEFAULT 'NGN' NOT NULL,
	\`attempts\` integer DEFAULT 0 NOT NULL,
	\`provider_refund_id\` text,
	\`bank_reference\` text,
	\`note\` text,
	\`approved_by\` text,
	\`approved_at\` integer,
	\`processed_at\` integer,
	\`next_try_at\` integer,
	\`tries\` integer DEFAULT 0 NOT NULL,
	\`lease_until\` integer,
	FOREIGN KEY (\`payment_id\`) REFERENCES \`payments\`(\`id\`) ON UPDATE no action ON DELETE no action
);`,
      `CREATE UNIQUE INDEX \`refunds_idempotency_key_unique\` ON \`refunds\` (\`idempotency_key\`);`,
      `CREATE INDEX \`refunds_by_payment\` ON \`refunds\` (\`payment_id\`);`,
      `CREATE INDEX \`refunds_by_status\` ON \`refunds\` (\`status\`);`,
      `CREATE INDEX \`refunds_by_time\` ON \`refunds\` (\`created_at\`,\`id\`);`,
      `CREATE INDEX \`refunds_by_bank_reference\` ON \`refunds\` (upper(bank_reference)) WHERE bank_reference is not null;`,
      `CREATE INDEX \`refunds_due\` ON \`refunds\` (\`next_try_at\`) WHERE next_try_at is not null;`,
      `CREATE TABLE \`backups\` (
	\`seq\` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	\`at\` integer NOT NULL,
	\`kind\` text NOT NULL,
	\`file\` text,
	\`bytes\` integer NOT NULL,
	\`took_ms\` integer NOT NULL,
	\`verified\` integer NOT NULL,
	\`error\` text
);`,
      `CREATE TABLE \`daily_counters\` (
	\`day\` text PRIMARY KEY NOT NULL,
	\`users\` integer DEFAULT 0 NOT NULL,
	\`certificates\` integer DEFAULT 0 NOT NULL,
	\`verifications\` integer DEFAULT 0 NOT NULL,
	\`successful\` integer DEFAULT 0 NOT NULL,
	\`not_found\` integer DEFAULT 0 NOT NULL,
	\`revenue_minor\` integer DEFAULT 0 NOT NULL
);`,
      `CREATE TABLE \`deferrals\` (
	\`queue\` text NOT NULL,
	\`item\` text NOT NULL,
	\`reason\` text NOT NULL,
	\`attempts\` integer NOT NULL,
	\`since\` integer NOT NULL,
	\`next_at\` integer NOT NULL,
	PRIMARY KEY(\`queue\`, \`item\`)
);`,
      `CREATE TABLE \`job_leases\` (
	\`name\` text PRIMARY KEY NOT NULL,
	\`lease_until\` integer NOT NULL,
	\`last_run_at\` integer
);`,
      `CREATE TABLE \`outbox\` (
	\`id\` text PRIMARY KEY NOT NULL,
	\`kind\` text NOT NULL,
	\`sealed\` text,
	\`dedupe_key\` text,
	\`attempts\` integer DEFAULT 0 NOT NULL,
	\`next_attempt_at\` integer,
	\`lease_until\` integer,
	\`created_at\` integer NOT NULL,
	\`delivered_at\` integer
);`,
      `CREATE UNIQUE INDEX \`outbox_dedupe_key_unique\` ON \`outbox\` (\`dedupe_key\`);`,
      `CREATE INDEX \`outbox_due\` ON \`outbox\` (\`next_attempt_at\`) WHERE next_attempt_at is not null;`,
      `CREATE INDEX \`outbox_delivered\` ON \`outbox\` (\`delivered_at\`) WHERE delivered_at is not null;`,
      `CREATE TABLE \`ranked_counters\` (
	\`kind\` text NOT NULL,
	\`unit\` text NOT NULL,
	\`period\` text NOT NULL,
	\`name\` text COLLATE NOCASE NOT NULL,
	\`verifications\` integer DEFAULT 0 NOT NULL,
	\`successful\` integer DEFAULT 0 NOT NULL,
	\`revenue_minor\` integer DEFAULT 0 NOT NULL,
	PRIMARY KEY(\`kind\`, \`unit\`, \`period\`, \`name\`)
) WITHOUT ROWID;`,
      `CREATE TABLE \`write_counter\` (
	\`id\` integer PRIMARY KEY NOT NULL,
	\`writes\` integer NOT NULL
);`,
      `CREATE TABLE \`idempotency_keys\` (
	\`user_id\` text NOT NULL,
	\`key\` text NOT NULL,
	\`request_hash\` text NOT NULL,
	\`payment_id\` text,
	\`created_at\` integer NOT NULL,
	PRIMARY KEY(\`user_id\`, \`key\`)
);`,
      `CREATE INDEX \`idempotency_keys_by_time\` ON \`idempotency_keys\` (\`created_at\`);`,
      `CREATE TABLE \`payment_events\` (
	\`id\` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	\`payment_id\` text NOT NULL,
	\`type\` text NOT NULL,
	\`provider_txn_id\` text,
	\`from_status\` text,
	\`to_status\` text,
	\`source\` text NOT NULL,
	\`actor_id\` text,
	\`amount_minor\` integer,
	\`code\` text,
	\`raw_hash\` text,
	\`at\` integer NOT NULL,
	FOREIGN KEY (\`payment_id\`) REFERENCES \`payments\`(\`id\`) ON UPDATE no action ON DELETE no action
);`,
      `CREATE UNIQUE INDEX \`payment_events_once\` ON \`payment_events\` (\`payment_id\`,\`type\`,coalesce(provider_txn_id, ''));`,
      `CREATE TABLE \`payment_items\` (
	\`id\` text PRIMARY KEY NOT NULL,
	\`payment_id\` text NOT NULL,
	\`user_id\` text NOT NULL,
	\`certificate_number\` text NOT NULL,
	\`amount_minor\` integer NOT NULL,
	\`created_at\` integer NOT NULL,
	\`open\` integer NOT NULL,
	\`result\` text NOT NULL,
	\`result_at\` integer NOT NULL,
	\`tally\` text NOT NULL,
	FOREIGN KEY (\`payment_id\`) REFERENCES \`payments\`(\`id\`) ON UPDATE no action ON DELETE no action
);`,
      `CREATE UNIQUE INDEX \`payment_items_one_open\` ON \`payment_items\` (\`user_id\`,\`certificate_number\`) WHERE open = 1;`,
      `CREATE INDEX \`payment_items_by_payment\` ON \`payment_items\` (\`payment_id\`);`,
      `CREATE INDEX \`payment_items_by_user\` ON \`payment_items\` (\`user_id\`,\`created_at\`,\`id\`);`,
      `CREATE INDEX \`payment_items_by_number\` ON \`payment_items\` (\`user_id\`,\`certificate_number\`);`,
      `CREATE INDEX \`payment_items_by_time\` ON \`payment_items\` (\`result_at\`,\`id\`);`,
      `CREATE INDEX \`payment_items_by_result\` ON \`payment_items\` (\`result\`,\`result_at\`,\`id\`);`,
      `CREATE INDEX \`payment_items_by_certificate\` ON \`payment_items\` (\`certificate_number\`);`,
      `CREATE TABLE \`payments\` (
	\`id\` text PRIMARY KEY NOT NULL,
	\`transaction_id\` text NOT NULL,
	\`user_id\` text NOT NULL,
	\`ip_address\` text,
	\`provider\` text NOT NULL,
	\`provider_reference\` text NOT NULL,
	\`provider_txn_id\` text,
	\`mode\` text NOT NULL,
	\`amount_minor\` integer NOT NULL,
	\`currency\` text NOT NULL,
	\`amount_paid_minor\` integer,
	\`status\` text NOT NULL,
	\`resolution\` text,
	\`decline_code\` text,
	\`gateway_status\` text,
	\`payment_url\` text,
	\`payment_fields\` text,
	\`unknown_policy\` text NOT NULL,
	\`created_at\` integer NOT NULL,
	\`updated_at\` integer NOT NULL,
	\`paid_at\` integer,
	\`expires_at\` integer NOT NULL,
	\`requeries\` integer DEFAULT 0 NOT NULL,
	\`last_requery_at\` integer,
	\`next_requery_at\` integer,
	\`not_found_answers\` integer DEFAULT 0 NOT NULL,
	\`lease_until\` integer,
	\`version\` integer DEFAULT 0 NOT NULL,
	FOREIGN KEY (\`user_id\`) REFERENCES \`users\`(\`id\`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "payments_status" CHECK("payments"."status" in ('created', 'pending', 'unknown', 'processing', 'paid', 'mismatched', 'failed', 'cancelled', 'expired', 'review', 'refunded', 'reversed')),
	CONSTRAINT "payments_amount" CHECK("payments"."amount_minor" >= 0)
);`,
      `CREATE UNIQUE INDEX \`payments_transaction_id_unique\` ON \`payments\` (\`transaction_id\`);`,
      `CREATE UNIQUE INDEX \`payments_provider_reference_unique\` ON \`payments\` (\`provider_reference\`);`,
      `CREATE UNIQUE INDEX \`payments_provider_txn\` ON \`payments\` (\`provider\`,\`provider_txn_id\`);`,
      `CREATE INDEX \`payments_due\` ON \`payments\` (\`next_requery_at\`) WHERE next_requery_at is not null;`,
      `CREATE INDEX \`payments_by_user\` ON \`payments\` (\`user_id\`,\`created_at\`,\`id\`,\`status\`);`,
      `CREATE INDEX \`payments_by_time\` ON \`payments\` (\`created_at\`,\`id\`);`,
      `CREATE INDEX \`payments_by_status\` ON \`payments\` (\`status\`,\`created_at\`,\`id\`);`,
      `CREATE INDEX \`payments_at_gateway\` ON \`payments\` (\`created_at\`) WHERE provider <> 'demo' and amount_minor > 0;`,
      `CREATE INDEX \`payments_waiting\` ON \`payments\` (coalesce(last_requery_at, 0),\`created_at\`) WHERE status in ('created', 'pending', 'unknown', 'processing', 'review', 'expired');`,
      `CREATE TABLE \`webhook_inbox\` (
	\`id\` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	\`provider\` text NOT NULL,
	\`event_key\` text NOT NULL,
	\`reference\` text,
	\`raw\` text NOT NULL,
	\`verified\` integer NOT NULL,
	\`attempts\` integer DEFAULT 0 NOT NULL,
	\`received_at\` integer NOT NULL,
	\`processed_at\` integer
);`,
      `CREATE UNIQUE INDEX \`webhook_inbox_once\` ON \`webhook_inbox\` (\`provider\`,\`event_key\`);`,
      `CREATE INDEX \`webhook_inbox_due\` ON \`webhook_inbox\` (\`received_at\`) WHERE processed_at is null;`,
      `CREATE INDEX \`webhook_inbox_by_reference\` ON \`webhook_inbox\` (\`reference\`);`,
      `CREATE TABLE \`gateway_orphans\` (
	\`provider\` text NOT NULL,
	\`reference\` text NOT NULL,
	\`provider_txn_id\` text,
	\`outcome\` text NOT NULL,
	\`amount_minor\` integer,
	\`currency\` text,
	\`first_seen_at\` integer NOT NULL,
	PRIMARY KEY(\`provider\`, \`reference\`)
);`,
      `CREATE TABLE \`reconciliations\` (
	\`id\` text PRIMARY KEY NOT NULL,
	\`day\` text NOT NULL,
	\`nightly\` integer NOT NULL,
	\`by_user_id\` text,
	\`by_email\` text,
	\`ip_address\` text,
	\`started_at\` integer NOT NULL,
	\`finished_at\` integer,
	\`lease_until\` integer NOT NULL,
	\`cursor_at\` integer,
	\`cursor_id\` text,
	\`processed\` integer DEFAULT 0 NOT NULL,
	\`updated\` integer DEFAULT 0 NOT NULL,
	\`mismatch_count\` integer DEFAULT 0 NOT NULL,
	\`mismatches\` text NOT NULL
);`,
      `CREATE UNIQUE INDEX \`reconciliations_one_a_night\` ON \`reconciliations\` (\`day\`) WHERE nightly;`,
      `CREATE INDEX \`reconciliations_by_time\` ON \`reconciliations\` (\`started_at\`,\`id\`);`,
      `CREATE INDEX \`reconciliations_open\` ON \`reconciliations\` (\`lease_until\`) WHERE finished_at is null;`,
      `CREATE TABLE \`images\` (
	\`hash\` text PRIMARY KEY NOT NULL,
	\`type\` text NOT NULL,
	\`bytes\` blob NOT NULL,
	\`created_at\` integer NOT NULL
);`,
      `CREATE TABLE \`setting_changes\` (
	\`id\` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	\`key\` text NOT NULL,
	\`from_value\` text NOT NULL,
	\`to_value\` text NOT NULL,
	\`at\` integer NOT NULL,
	\`user_id\` text,
	\`user_email\` text
);`,
      `CREATE INDEX \`setting_changes_by_key\` ON \`setting_changes\` (\`key\`,\`id\`);`,
      `CREATE TABLE \`settings\` (
	\`key\` text PRIMARY KEY NOT NULL,
	\`value\` text NOT NULL,
	\`updated_at\` integer NOT NULL,
	\`updated_by\` text
);`,
    ],
  },
  {
    name: '0001_counters_and_search',
    statements: [
      `-- Counters and search indexes, all the triggers there are. They never decide what a payment, a letter or a certificate
-- is: rules are TypeScript. \`npm test\` recounts every counter after random histories (test/recount.ts).

-- Full-text indexes over text that other tables hold. FTS5 reads their content at the time of the change, with the
-- values before it, which only a trigger has at hand.
CREATE VIRTUAL TABLE \`certificate_search\` USING fts5(\`folded\`, content='certificates', content_rowid='seq', columnsize=0, tokenize='trigram');`,
      `CREATE TRIGGER \`index_certificate\` AFTER INSERT ON \`certificates\` BEGIN
	INSERT INTO \`certificate_search\` (rowid, \`folded\`) VALUES (new.seq, new.folded);
END;`,
      `CREATE TRIGGER \`unindex_certificate\` AFTER DELETE ON \`certificates\` BEGIN
	INSERT INTO \`certificate_search\` (\`certificate_search\`, rowid, \`folded\`) VALUES ('delete', old.seq, old.folded);
END;`,
      `CREATE TRIGGER \`reindex_certificate\` AFTER UPDATE OF \`folded\` ON \`certificates\` WHEN old.folded <> new.folded BEGIN
	INSERT INTO \`certificate_search\` (\`certificate_search\`, rowid, \`folded\`) VALUES ('delete', old.seq, old.folded);
	INSERT INTO \`certificate_search\` (rowid, \`folded\`) VALUES (new.seq, new.folded);
END;`,
      `CREATE VIRTUAL TABLE \`user_search\` USING fts5(\`folded\`, content='user_texts', content_rowid='seq', columnsize=0, tokenize='trigram');`,
      `CREATE VIRTUAL TABLE \`user_word_search\` USING fts5(\`folded\`, content='user_texts', content_rowid='seq', columnsize=0, detail='none', prefix='1 2', tokenize='unicode61');`,
      `CREATE TRIGGER \`write_user_text\` AFTER INSERT ON \`users\` BEGIN
	INSERT INTO \`user_texts\` (\`user_id\`, \`folded\`) VALUES (new.id, lower(new.email || char(10) || new.firstname || ' ' || new.lastname || coalesce(char(10) || new.firstname || ' ' || new.middlename || ' ' || new.lastname, '')));
END;`,
      `CREATE TRIGGER \`rewrite_user_text\` AFTER UPDATE OF \`email\`, \`firstname\`, \`middlename\`, \`lastname\` ON \`users\` WHEN new.email <> old.email OR new.firstname <> old.firstname OR new.middlename is not old.middlename OR new.lastname <> old.lastname BEGIN
	UPDATE \`user_texts\` SET \`folded\` = lower(new.email || char(10) || new.firstname || ' ' || new.lastname || coalesce(char(10) || new.firstname || ' ' || new.middlename || ' ' || new.lastname, '')) WHERE \`user_id\` = new.id;
END;`,
      `CREATE TRIGGER \`erase_user_text\` AFTER DELETE ON \`users\` BEGIN
	DELETE FROM \`user_texts\` WHERE \`user_id\` = old.id;
END;`,
      `CREATE TRIGGER \`index_user_text\` AFTER INSERT ON \`user_texts\` BEGIN
	INSERT INTO \`user_search\` (rowid, \`folded\`) VALUES (new.seq, new.folded);
	INSERT INTO \`user_word_search\` (rowid, \`folded\`) VALUES (new.seq, new.folded);
END;`,
      `CREATE TRIGGER \`unindex_user_text\` AFTER DELETE ON \`user_texts\` BEGIN
	INSERT INTO \`user_search\` (\`user_search\`, rowid, \`folded\`) VALUES ('delete', old.seq, old.folded);
	INSERT INTO \`user_word_search\` (\`user_word_search\`, rowid, \`folded\`) VALUES ('delete', old.seq, old.folded);
END;`,
      `CREATE TRIGGER \`reindex_user_text\` AFTER UPDATE OF \`folded\` ON \`user_texts\` WHEN old.folded <> new.folded BEGIN
	INSERT INTO \`user_search\` (\`user_search\`, rowid, \`folded\`) VALUES ('delete', old.seq, old.folded);
	INSERT INTO \`user_search\` (rowid, \`folded\`) VALUES (new.seq, new.folded);
	INSERT INTO \`user_word_search\` (\`user_word_search\`, rowid, \`folded\`) VALUES ('delete', old.seq, old.folded);
	INSERT INTO \`user_word_search\` (rowid, \`folded\`) VALUES (new.seq, new.folded);
END;`,
      `CREATE VIRTUAL TABLE \`activity_search\` USING fts5(\`activity\`, \`details\`, \`user_email\`, content='activity_log', content_rowid='id', columnsize=0, prefix='2', tokenize='unicode61 remove_diacritics 2');`,
      `CREATE TRIGGER \`index_activity\` AFTER INSERT ON \`activity_log\` BEGIN
	INSERT INTO \`activity_search\` (rowid, \`activity\`, \`details\`, \`user_email\`) VALUES (new.\`id\`, new.\`activity\`, new.\`details\`, new.\`user_email\`);
END;`,
      `CREATE TRIGGER \`reindex_activity\` AFTER UPDATE OF \`user_email\`, \`details\` ON \`activity_log\` WHEN old.\`user_email\` is not new.\`user_email\` OR old.\`details\` <> new.\`details\` BEGIN
	INSERT INTO \`activity_search\` (\`activity_search\`, rowid, \`activity\`, \`details\`, \`user_email\`) VALUES ('delete', old.\`id\`, old.\`activity\`, old.\`details\`, old.\`user_email\`);
	INSERT INTO \`activity_search\` (rowid, \`activity\`, \`details\`, \`user_email\`) VALUES (new.\`id\`, new.\`activity\`, new.\`details\`, new.\`user_email\`);
END;`,
      `-- The audit log only grows, and a sealed entry can only lose its personal values. A guard, not a rule: it also holds for
-- a statement that a person types into a database shell.
CREATE TRIGGER \`activity_log_appends_only\` BEFORE DELETE ON \`activity_log\` BEGIN
	SELECT raise(ABORT, 'the activity log only grows');
END;`,
      `CREATE TRIGGER \`activity_log_stays_sealed\` BEFORE UPDATE OF \`id\`, \`user_id\`, \`activity\`, \`type\`, \`status\`, \`request_id\`, \`at\`, \`commitment\`, \`hash\` ON \`activity_log\` WHEN old.hash is not null BEGIN
	SELECT raise(ABORT, 'this entry of the activity log is sealed');
END;`,
      `CREATE TRIGGER \`activity_log_erases_only\` BEFORE UPDATE OF \`user_email\`, \`details\`, \`ip_address\`, \`salt\` ON \`activity_log\` WHEN old.hash is not null and not (new.user_email is null and new.details = '' and new.ip_address is null and new.salt is null) BEGIN
	SELECT raise(ABORT, 'personal values of a sealed entry can only be erased');
END;`,
      `-- Counters of certificates. An upload writes a million rows with statements of 200 each; a counter statement for each
-- would double the calls to the engine.
CREATE TRIGGER \`count_certificate\` AFTER INSERT ON \`certificates\` WHEN new.withdrawn_at is null BEGIN
	INSERT INTO \`daily_counters\` (\`day\`, \`certificates\`) VALUES (date(new.uploaded_at / 1000, 'unixepoch'), 1)
	ON CONFLICT (\`day\`) DO UPDATE SET \`certificates\` = \`certificates\` + 1;
END;`,
      `CREATE TRIGGER \`uncount_certificate\` AFTER DELETE ON \`certificates\` WHEN old.withdrawn_at is null BEGIN
	UPDATE \`daily_counters\` SET \`certificates\` = \`certificates\` - 1 WHERE \`day\` = date(old.uploaded_at / 1000, 'unixepoch');
END;`,
      `CREATE TRIGGER \`recount_certificate\` AFTER UPDATE OF \`withdrawn_at\`, \`uploaded_at\` ON \`certificates\` BEGIN
	UPDATE \`daily_counters\` SET \`certificates\` = \`certificates\` - 1 WHERE old.withdrawn_at is null AND \`day\` = date(old.uploaded_at / 1000, 'unixepoch');
	INSERT INTO \`daily_counters\` (\`day\`, \`certificates\`) SELECT date(new.uploaded_at / 1000, 'unixepoch'), 1 WHERE new.withdrawn_at is null
	ON CONFLICT (\`day\`) DO UPDATE SET \`certificates\` = \`certificates\` + 1;
END;`,
      `CREATE TRIGGER \`count_in_block\` AFTER INSERT ON \`certificates\` WHEN new.\`withdrawn_at\` is null BEGIN
	INSERT INTO \`certificate_blocks\` (\`block\`, \`standing\`) VALUES (new.\`seq\` / 4096, 1)
	ON CONFLICT (\`block\`) DO UPDATE SET \`standing\` = \`standing\` + 1;
END;`,
      `CREATE TRIGGER \`uncount_in_block\` AFTER DELETE ON \`certificates\` WHEN old.\`withdrawn_at\` is null BEGIN
	UPDATE \`certificate_blocks\` SET \`standing\` = \`standing\` - 1 WHERE \`block\` = old.\`seq\` / 4096;
END;`,
      `CREATE TRIGGER \`recount_in_block\` AFTER UPDATE OF \`withdrawn_at\` ON \`certificates\` WHEN (old.\`withdrawn_at\` is null) <> (new.\`withdrawn_at\` is null) BEGIN
	INSERT INTO \`certificate_blocks\` (\`block\`, \`standing\`) VALUES (new.\`seq\` / 4096, iif(new.\`withdrawn_at\` is null, 1, -1))
	ON CONFLICT (\`block\`) DO UPDATE SET \`standing\` = \`standing\` + excluded.\`standing\`;
END;`,
      `-- Counters of accounts.
CREATE TRIGGER \`count_user\` AFTER INSERT ON \`users\` BEGIN
	INSERT INTO \`daily_counters\` (\`day\`, \`users\`) VALUES (date(new.created_at / 1000, 'unixepoch'), 1)
	ON CONFLICT (\`day\`) DO UPDATE SET \`users\` = \`users\` + 1;
END;`,
      `CREATE TRIGGER \`uncount_user\` AFTER DELETE ON \`users\` BEGIN
	UPDATE \`daily_counters\` SET \`users\` = \`users\` - 1 WHERE \`day\` = date(old.created_at / 1000, 'unixepoch');
END;`,
      `CREATE TRIGGER \`uncount_erased_user\` AFTER UPDATE OF \`erased_at\` ON \`users\` WHEN old.erased_at is null AND new.erased_at is not null BEGIN
	UPDATE \`daily_counters\` SET \`users\` = \`users\` - 1 WHERE \`day\` = date(new.created_at / 1000, 'unixepoch');
END;`,
      `CREATE TRIGGER \`count_account\` AFTER INSERT ON \`users\` WHEN new.\`erased_at\` is null BEGIN
	INSERT INTO \`account_counters\` (\`day\`, \`role\`, \`is_enabled\`, \`is_verified\`, \`total\`) VALUES (date(new.\`created_at\` / 1000, 'unixepoch'), new.\`role\`, new.\`is_enabled\`, new.\`verified_at\` is not null, 1)
	ON CONFLICT (\`day\`, \`role\`, \`is_enabled\`, \`is_verified\`) DO UPDATE SET \`total\` = \`total\` + 1;
END;`,
      `CREATE TRIGGER \`uncount_account\` AFTER DELETE ON \`users\` WHEN old.\`erased_at\` is null BEGIN
	UPDATE \`account_counters\` SET \`total\` = \`total\` - 1 WHERE \`day\` = date(old.\`created_at\` / 1000, 'unixepoch') AND \`role\` = old.\`role\` AND \`is_enabled\` = old.\`is_enabled\` AND \`is_verified\` = (old.\`verified_at\` is not null);
END;`,
      `CREATE TRIGGER \`recount_account\` AFTER UPDATE OF \`role\`, \`is_enabled\`, \`verified_at\`, \`erased_at\`, \`created_at\` ON \`users\` BEGIN
	UPDATE \`account_counters\` SET \`total\` = \`total\` - 1 WHERE old.\`erased_at\` is null AND \`day\` = date(old.\`created_at\` / 1000, 'unixepoch') AND \`role\` = old.\`role\` AND \`is_enabled\` = old.\`is_enabled\` AND \`is_verified\` = (old.\`verified_at\` is not null);
	INSERT INTO \`account_counters\` (\`day\`, \`role\`, \`is_enabled\`, \`is_verified\`, \`total\`) SELECT date(new.\`created_at\` / 1000, 'unixepoch'), new.\`role\`, new.\`is_enabled\`, new.\`verified_at\` is not null, 1 WHERE new.\`erased_at\` is null
	ON CONFLICT (\`day\`, \`role\`, \`is_enabled\`, \`is_verified\`) DO UPDATE SET \`total\` = \`total\` + 1;
END;`,
      `-- Counters of payments, their items and the ledger. On a database server each statement is a round trip, and a payment
-- would need nine more of them. What an item counts as is decided in payments/item-results.ts.
CREATE TRIGGER \`count_payment\` AFTER INSERT ON \`payments\` BEGIN
	INSERT INTO \`payment_counters\` (\`day\`, \`status\`, \`total\`, \`due_minor\`, \`paid_minor\`) VALUES (date(new.\`created_at\` / 1000, 'unixepoch'), new.\`status\`, 1, new.\`amount_minor\`, coalesce(new.\`amount_paid_minor\`, 0))
	ON CONFLICT (\`day\`, \`status\`) DO UPDATE SET \`total\` = \`total\` + 1, \`due_minor\` = \`due_minor\` + excluded.\`due_minor\`, \`paid_minor\` = \`paid_minor\` + excluded.\`paid_minor\`;
END;`,
      `CREATE TRIGGER \`recount_payment\` AFTER UPDATE OF \`status\`, \`created_at\`, \`amount_minor\`, \`amount_paid_minor\` ON \`payments\` WHEN old.\`status\` <> new.\`status\` OR old.\`created_at\` <> new.\`created_at\` OR old.\`amount_minor\` <> new.\`amount_minor\` OR old.\`amount_paid_minor\` is not new.\`amount_paid_minor\` BEGIN
	UPDATE \`payment_counters\` SET \`total\` = \`total\` - 1, \`due_minor\` = \`due_minor\` - old.\`amount_minor\`, \`paid_minor\` = \`paid_minor\` - coalesce(old.\`amount_paid_minor\`, 0) WHERE \`day\` = date(old.\`created_at\` / 1000, 'unixepoch') AND \`status\` = old.\`status\`;
	INSERT INTO \`payment_counters\` (\`day\`, \`status\`, \`total\`, \`due_minor\`, \`paid_minor\`) VALUES (date(new.\`created_at\` / 1000, 'unixepoch'), new.\`status\`, 1, new.\`amount_minor\`, coalesce(new.\`amount_paid_minor\`, 0))
	ON CONFLICT (\`day\`, \`status\`) DO UPDATE SET \`total\` = \`total\` + 1, \`due_minor\` = \`due_minor\` + excluded.\`due_minor\`, \`paid_minor\` = \`paid_minor\` + excluded.\`paid_minor\`;
END;`,
      `CREATE TRIGGER \`count_new_item\` AFTER INSERT ON \`payment_items\` BEGIN
	INSERT INTO \`item_counters\` (\`day\`, \`result\`, \`total\`) VALUES (date(new.\`result_at\` / 1000, 'unixepoch'), new.\`result\`, 1)
	ON CONFLICT (\`day\`, \`result\`) DO UPDATE SET \`total\` = \`total\` + 1;
END;`,
      `CREATE TRIGGER \`count_item\` AFTER UPDATE OF \`result\`, \`result_at\` ON \`payment_items\` WHEN old.\`result\` <> new.\`result\` OR old.\`result_at\` <> new.\`result_at\` BEGIN
	UPDATE \`item_counters\` SET \`total\` = \`total\` - 1 WHERE \`day\` = date(old.\`result_at\` / 1000, 'unixepoch') AND \`result\` = old.\`result\`;
	INSERT INTO \`item_counters\` (\`day\`, \`result\`, \`total\`) VALUES (date(new.\`result_at\` / 1000, 'unixepoch'), new.\`result\`, 1)
	ON CONFLICT (\`day\`, \`result\`) DO UPDATE SET \`total\` = \`total\` + 1;
END;`,
      `CREATE TRIGGER \`count_item_of_user\` AFTER INSERT ON \`payment_items\` BEGIN
	INSERT INTO \`user_counters\` (\`user_id\`, \`total\`, \`found\`, \`again\`, \`missed\`, \`spent_minor\`) VALUES (
		new.\`user_id\`, 1, new.\`tally\` = 'found', new.\`tally\` = 'again', new.\`tally\` IN ('not_found', 'due'),
		(new.\`tally\` IN ('found', 'not_found')) * new.\`amount_minor\`
	)
	ON CONFLICT (\`user_id\`) DO UPDATE SET \`total\` = \`total\` + 1, \`found\` = \`found\` + excluded.\`found\`, \`again\` = \`again\` + excluded.\`again\`, \`missed\` = \`missed\` + excluded.\`missed\`, \`spent_minor\` = \`spent_minor\` + excluded.\`spent_minor\`;
END;`,
      `CREATE TRIGGER \`tally_item_of_user\` AFTER UPDATE OF \`tally\` ON \`payment_items\` WHEN old.\`tally\` <> new.\`tally\` BEGIN
	INSERT INTO \`user_counters\` (\`user_id\`, \`found\`, \`again\`, \`missed\`, \`spent_minor\`) VALUES (
		new.\`user_id\`,
		(new.\`tally\` = 'found') - (old.\`tally\` = 'found'),
		(new.\`tally\` = 'again') - (old.\`tally\` = 'again'),
		(new.\`tally\` IN ('not_found', 'due')) - (old.\`tally\` IN ('not_found', 'due')),
		((new.\`tally\` IN ('found', 'not_found')) - (old.\`tally\` IN ('found', 'not_found'))) * new.\`amount_minor\`
	)
	ON CONFLICT (\`user_id\`) DO UPDATE SET \`found\` = \`found\` + excluded.\`found\`, \`again\` = \`again\` + excluded.\`again\`, \`missed\` = \`missed\` + excluded.\`missed\`, \`spent_minor\` = \`spent_minor\` + excluded.\`spent_minor\`;
END;`,
      `CREATE TRIGGER \`count_ledger_entry\` AFTER INSERT ON \`ledger_entries\` BEGIN
	INSERT INTO \`ledger_counters\` (\`day\`, \`account\`, \`currency\`, \`entries\`, \`minor\`) VALUES (date(new.\`at\` / 1000, 'unixepoch'), new.\`account\`, new.\`currency\`, 1, new.\`amount_minor\`)
	ON CONFLICT (\`day\`, \`account\`, \`currency\`) DO UPDATE SET \`entries\` = \`entries\` + 1, \`minor\` = \`minor\` + excluded.\`minor\`;
END;`,
      `CREATE TRIGGER \`count_fulfilment\` AFTER INSERT ON \`fulfilments\` WHEN new.outcome <> 'refund_due' BEGIN
	INSERT INTO \`daily_counters\` (\`day\`, \`verifications\`, \`successful\`, \`not_found\`)
	VALUES (date(new.at / 1000, 'unixepoch'), 1, new.outcome = 'verified', new.outcome = 'not_found')
	ON CONFLICT (\`day\`) DO UPDATE SET \`verifications\` = \`verifications\` + 1, \`successful\` = \`successful\` + excluded.successful, \`not_found\` = \`not_found\` + excluded.not_found;
END;`,
      `CREATE TRIGGER \`count_revenue\` AFTER INSERT ON \`ledger_entries\` WHEN new.account = 'revenue' BEGIN
	INSERT INTO \`daily_counters\` (\`day\`, \`revenue_minor\`) VALUES (date(new.at / 1000, 'unixepoch'), -new.amount_minor)
	ON CONFLICT (\`day\`) DO UPDATE SET \`revenue_minor\` = \`revenue_minor\` + excluded.revenue_minor;
END;`,
      `CREATE TRIGGER \`rank_course\` AFTER INSERT ON \`fulfilments\` WHEN new.outcome = 'verified' BEGIN
	INSERT INTO \`ranked_counters\` (\`kind\`, \`unit\`, \`period\`, \`name\`, \`verifications\`, \`successful\`)
	SELECT 'course', \`unit\`, substr(date(new.at / 1000, 'unixepoch'), 1, \`length\`), trim(coalesce(json_extract(new.snapshot, '$.course'), '')), 1, 1
	FROM (SELECT 'day' AS \`unit\`, 10 AS \`length\` UNION ALL SELECT 'month', 7 UNION ALL SELECT 'year', 4 UNION ALL SELECT 'all', 0) WHERE true
	ON CONFLICT (\`kind\`, \`unit\`, \`period\`, \`name\`) DO UPDATE SET \`verifications\` = \`verifications\` + 1, \`successful\` = \`successful\` + 1;
END;`,
      `CREATE TRIGGER \`rank_organisation\` AFTER INSERT ON \`fulfilments\` WHEN new.outcome <> 'refund_due' BEGIN
	INSERT INTO \`ranked_counters\` (\`kind\`, \`unit\`, \`period\`, \`name\`, \`verifications\`, \`successful\`)
	SELECT 'organisation', \`unit\`, substr(date(new.at / 1000, 'unixepoch'), 1, \`length\`), coalesce((SELECT trim(substr(\`address\`, 1, instr(\`address\` || ',', ',') - 1)) FROM \`users\` WHERE \`id\` = new.user_id), ''), 1, new.outcome = 'verified'
	FROM (SELECT 'day' AS \`unit\`, 10 AS \`length\` UNION ALL SELECT 'month', 7 UNION ALL SELECT 'year', 4 UNION ALL SELECT 'all', 0) WHERE true
	ON CONFLICT (\`kind\`, \`unit\`, \`period\`, \`name\`) DO UPDATE SET \`verifications\` = \`verifications\` + 1, \`successful\` = \`successful\` + excluded.successful;
END;`,
      `CREATE TRIGGER \`rank_revenue\` AFTER INSERT ON \`ledger_entries\` WHEN new.account = 'revenue' BEGIN
	INSERT INTO \`ranked_counters\` (\`kind\`, \`unit\`, \`period\`, \`name\`, \`revenue_minor\`)
	SELECT 'organisation', \`unit\`, substr(date(new.at / 1000, 'unixepoch'), 1, \`length\`), coalesce((SELECT trim(substr(\`address\`, 1, instr(\`address\` || ',', ',') - 1)) FROM \`users\` WHERE \`id\` = (SELECT \`user_id\` FROM \`payments\` WHERE \`id\` = new.payment_id)), ''), -new.amount_minor
	FROM (SELECT 'day' AS \`unit\`, 10 AS \`length\` UNION ALL SELECT 'month', 7 UNION ALL SELECT 'year', 4 UNION ALL SELECT 'all', 0) WHERE true
	ON CONFLICT (\`kind\`, \`unit\`, \`period\`, \`name\`) DO UPDATE SET \`revenue_minor\` = \`revenue_minor\` + excluded.revenue_minor;
END;`,
      `-- Counters of the audit log, for its filters.
CREATE TRIGGER \`count_activity\` AFTER INSERT ON \`activity_log\` BEGIN
	INSERT INTO \`activity_counters\` (\`unit\`, \`period\`, \`user_id\`, \`type\`, \`status\`, \`total\`)
	SELECT \`unit\`, substr(date(new.at / 1000, 'unixepoch'), 1, \`length\`), '', coalesce(new.type, ''), coalesce(new.status, ''), 1
	FROM (SELECT 'day' AS \`unit\`, 10 AS \`length\` UNION ALL SELECT 'month', 7 UNION ALL SELECT 'year', 4) WHERE true
	ON CONFLICT (\`unit\`, \`period\`, \`user_id\`, \`type\`, \`status\`) DO UPDATE SET \`total\` = \`total\` + 1;
	INSERT INTO \`activity_counters\` (\`unit\`, \`period\`, \`user_id\`, \`type\`, \`status\`, \`total\`)
	SELECT \`unit\`, substr(date(new.at / 1000, 'unixepoch'), 1, \`length\`), new.user_id, coalesce(new.type, ''), coalesce(new.status, ''), 1
	FROM (SELECT 'day' AS \`unit\`, 10 AS \`length\` UNION ALL SELECT 'month', 7 UNION ALL SELECT 'year', 4)
	WHERE new.user_id is not null AND NOT EXISTS (SELECT 1 FROM \`users\` WHERE \`id\` = new.user_id AND \`role\` = 'user')
	ON CONFLICT (\`unit\`, \`period\`, \`user_id\`, \`type\`, \`status\`) DO UPDATE SET \`total\` = \`total\` + 1;
END;`,
      `CREATE TRIGGER \`hide_activity\` AFTER UPDATE OF \`role\` ON \`users\` WHEN old.role = 'user' AND new.role <> 'user' BEGIN
	INSERT INTO \`activity_counters\` (\`unit\`, \`period\`, \`user_id\`, \`type\`, \`status\`, \`total\`)
	SELECT \`unit\`, substr(date(\`at\` / 1000, 'unixepoch'), 1, \`length\`), new.id, coalesce(\`type\`, ''), coalesce(\`status\`, ''), count(*)
	FROM \`activity_log\`, (SELECT 'day' AS \`unit\`, 10 AS \`length\` UNION ALL SELECT 'month', 7 UNION ALL SELECT 'year', 4)
	WHERE \`user_id\` = new.id GROUP BY 1, 2, 4, 5;
END;`,
      `CREATE TRIGGER \`hide_activity_of_deleted\` AFTER DELETE ON \`users\` WHEN old.role = 'user' BEGIN
	INSERT INTO \`activity_counters\` (\`unit\`, \`period\`, \`user_id\`, \`type\`, \`status\`, \`total\`)
	SELECT \`unit\`, substr(date(\`at\` / 1000, 'unixepoch'), 1, \`length\`), old.id, coalesce(\`type\`, ''), coalesce(\`status\`, ''), count(*)
	FROM \`activity_log\`, (SELECT 'day' AS \`unit\`, 10 AS \`length\` UNION ALL SELECT 'month', 7 UNION ALL SELECT 'year', 4)
	WHERE \`user_id\` = old.id GROUP BY 1, 2, 4, 5;
END;`,
      `CREATE TRIGGER \`show_activity\` AFTER UPDATE OF \`role\` ON \`users\` WHEN old.role <> 'user' AND new.role = 'user' BEGIN
	DELETE FROM \`activity_counters\` WHERE \`user_id\` = new.id;
END;`,
      `CREATE TRIGGER \`show_activity_of_new\` AFTER INSERT ON \`users\` WHEN new.role = 'user' BEGIN
	DELETE FROM \`activity_counters\` WHERE \`user_id\` = new.id;
END;`,
      `-- The counter that tells a replica how far it must have followed.
INSERT INTO \`write_counter\` (\`id\`, \`writes\`) VALUES (1, 0);`,
    ],
  },
  {
    name: '0002_fees_and_tax',
    statements: [
      `ALTER TABLE \`payments\` ADD \`passed_on_minor\` integer DEFAULT 0 NOT NULL;`,
      `ALTER TABLE \`payments\` ADD \`gateway_fee_minor\` integer;`,
      `ALTER TABLE \`payments\` ADD \`tax_name\` text;`,
      `ALTER TABLE \`payments\` ADD \`tax_basis_points\` integer;`,
    ],
  },
  {
    name: '0003_settlements',
    statements: [
      `CREATE TABLE \`settlement_differences\` (
	\`id\` text PRIMARY KEY NOT NULL,
	\`key\` text NOT NULL,
	\`kind\` text NOT NULL,
	\`provider\` text NOT NULL,
	\`reference\` text NOT NULL,
	\`settlement_id\` text,
	\`payment_id\` text,
	\`currency\` text NOT NULL,
	\`expected_minor\` integer,
	\`found_minor\` integer,
	\`found_at\` integer NOT NULL,
	\`resolved_at\` integer,
	\`explained_at\` integer,
	\`explained_by\` text,
	\`note\` text,
	FOREIGN KEY (\`settlement_id\`) REFERENCES \`settlements\`(\`id\`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (\`payment_id\`) REFERENCES \`payments\`(\`id\`) ON UPDATE no action ON DELETE no action
);`,
      `CREATE UNIQUE INDEX \`settlement_differences_key_unique\` ON \`settlement_differences\` (\`key\`);`,
      `CREATE INDEX \`settlement_differences_by_time\` ON \`settlement_differences\` (\`found_at\`,\`id\`);`,
      `CREATE INDEX \`settlement_differences_open\` ON \`settlement_differences\` (\`found_at\`,\`id\`) WHERE resolved_at is null and explained_at is null;`,
      `CREATE INDEX \`settlement_differences_by_payment\` ON \`settlement_differences\` (\`payment_id\`) WHERE payment_id is not null;`,
      `CREATE INDEX \`settlement_differences_by_settlement\` ON \`settlement_differences\` (\`settlement_id\`);`,
      `CREATE TABLE \`settlement_lines\` (
	\`id\` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	\`settlement_id\` text NOT NULL,
	\`key\` text NOT NULL,
	\`kind\` text NOT NULL,
	\`reference\` text NOT NULL,
	\`payment_id\` text,
	\`amount_minor\` integer NOT NULL,
	\`fee_minor\` integer,
	\`net_minor\` integer NOT NULL,
	\`at\` integer NOT NULL,
	FOREIGN KEY (\`settlement_id\`) REFERENCES \`settlements\`(\`id\`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (\`payment_id\`) REFERENCES \`payments\`(\`id\`) ON UPDATE no action ON DELETE no action
);`,
      `CREATE UNIQUE INDEX \`settlement_lines_once\` ON \`settlement_lines\` (\`settlement_id\`,\`key\`);`,
      `CREATE INDEX \`settlement_lines_by_payment\` ON \`settlement_lines\` (\`payment_id\`) WHERE payment_id is not null;`,
      `CREATE TABLE \`settlement_runs\` (
	\`day\` text NOT NULL,
	\`provider\` text NOT NULL,
	\`lease_until\` integer NOT NULL,
	\`finished_at\` integer,
	PRIMARY KEY(\`day\`, \`provider\`)
);`,
      `CREATE TABLE \`settlements\` (
	\`id\` text PRIMARY KEY NOT NULL,
	\`provider\` text NOT NULL,
	\`reference\` text NOT NULL,
	\`currency\` text NOT NULL,
	\`settled_at\` integer NOT NULL,
	\`stated_minor\` integer,
	\`source\` text NOT NULL,
	\`file_name\` text,
	\`by_email\` text,
	\`created_at\` integer NOT NULL,
	\`lines\` integer DEFAULT 0 NOT NULL,
	\`amount_minor\` integer DEFAULT 0 NOT NULL,
	\`fee_minor\` integer DEFAULT 0 NOT NULL,
	\`net_minor\` integer DEFAULT 0 NOT NULL
);`,
      `CREATE UNIQUE INDEX \`settlements_once\` ON \`settlements\` (\`provider\`,\`reference\`);`,
      `CREATE INDEX \`settlements_by_time\` ON \`settlements\` (\`settled_at\`,\`id\`);`,
    ],
  },
  {
    name: '0004_disputes',
    statements: [
      `CREATE TABLE \`disputes\` (
	\`id\` text PRIMARY KEY NOT NULL,
	\`payment_id\` text NOT NULL,
	\`provider\` text NOT NULL,
	\`provider_dispute_id\` text NOT NULL,
	\`source\` text NOT NULL,
	\`state\` text NOT NULL,
	\`gateway_status\` text,
	\`amount_minor\` integer NOT NULL,
	\`currency\` text NOT NULL,
	\`category\` text,
	\`reason\` text DEFAULT '' NOT NULL,
	\`opened_at\` integer NOT NULL,
	\`due_at\` integer,
	\`answer\` text,
	\`answered_by\` text,
	\`answered_at\` integer,
	\`acknowledged_at\` integer,
	\`note\` text DEFAULT '' NOT NULL,
	\`held_minor\` integer DEFAULT 0 NOT NULL,
	\`lost_minor\` integer DEFAULT 0 NOT NULL,
	\`fee_minor\` integer DEFAULT 0 NOT NULL,
	\`closed_at\` integer,
	\`half_reminded_at\` integer,
	\`last_reminded_at\` integer,
	\`next_at\` integer,
	\`tries\` integer DEFAULT 0 NOT NULL,
	\`lease_until\` integer,
	\`version\` integer DEFAULT 0 NOT NULL,
	\`created_at\` integer NOT NULL,
	\`updated_at\` integer NOT NULL,
	FOREIGN KEY (\`payment_id\`) REFERENCES \`payments\`(\`id\`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "disputes_state" CHECK("disputes"."state" in ('open', 'accepted', 'contested', 'won', 'lost', 'expired')),
	CONSTRAINT "disputes_amount" CHECK("disputes"."amount_minor" > 0)
);`,
      `CREATE UNIQUE INDEX \`disputes_once\` ON \`disputes\` (\`provider\`,\`provider_dispute_id\`);`,
      `CREATE INDEX \`disputes_by_payment\` ON \`disputes\` (\`payment_id\`);`,
      `CREATE INDEX \`disputes_by_state\` ON \`disputes\` (\`state\`,\`due_at\`);`,
      `CREATE INDEX \`disputes_by_time\` ON \`disputes\` (\`opened_at\`,\`id\`);`,
      `CREATE INDEX \`disputes_due\` ON \`disputes\` (\`next_at\`) WHERE next_at is not null;`,
      `ALTER TABLE \`webhook_inbox\` ADD \`provider_dispute_id\` text;`,
      `ALTER TABLE \`webhook_inbox\` ADD \`dispute_seen_at\` integer;`,
      `CREATE INDEX \`webhook_inbox_disputes\` ON \`webhook_inbox\` (\`received_at\`) WHERE provider_dispute_id is not null and dispute_seen_at is null;`,
    ],
  },
  {
    name: '0005_history',
    statements: [
      `CREATE TABLE \`record_changes\` (
	\`id\` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	\`kind\` text NOT NULL,
	\`record_id\` text NOT NULL,
	\`version\` integer NOT NULL,
	\`action\` text NOT NULL,
	\`label\` text,
	\`at\` integer NOT NULL,
	\`actor_id\` text,
	\`source_kind\` text NOT NULL,
	\`source_id\` text,
	\`source_label\` text,
	\`reason\` text,
	\`fields\` text,
	\`salt\` text,
	\`digest\` text NOT NULL,
	\`log_id\` integer NOT NULL
);`,
      `CREATE UNIQUE INDEX \`record_changes_of_record\` ON \`record_changes\` (\`kind\`,\`record_id\`,\`version\`);`,
      `CREATE INDEX \`record_changes_by_log\` ON \`record_changes\` (\`log_id\`);`,
      `CREATE INDEX \`record_changes_by_source\` ON \`record_changes\` (\`source_id\`,\`id\`);`,
      `CREATE INDEX \`record_changes_by_actor\` ON \`record_changes\` (\`actor_id\`,\`id\`);`,
      `CREATE INDEX \`record_changes_by_label\` ON \`record_changes\` (\`label\`,\`id\`);`,
      `ALTER TABLE \`users\` ADD \`version\` integer DEFAULT 1 NOT NULL;`,
      `ALTER TABLE \`certificates\` ADD \`version\` integer DEFAULT 1 NOT NULL;`,
      `ALTER TABLE \`certificates\` ADD \`upload_seq\` integer;`,
      `-- Deleted certificates keep their text, so that they can be searched and sorted; the index has those in the register alone.
DROP TRIGGER \`index_certificate\`;`,
      `DROP TRIGGER \`unindex_certificate\`;`,
      `DROP TRIGGER \`reindex_certificate\`;`,
      `CREATE TRIGGER \`index_certificate\` AFTER INSERT ON \`certificates\` WHEN new.withdrawn_at is null BEGIN
	INSERT INTO \`certificate_search\` (rowid, \`folded\`) VALUES (new.seq, new.folded);
END;`,
      `CREATE TRIGGER \`unindex_certificate\` AFTER DELETE ON \`certificates\` WHEN old.withdrawn_at is null BEGIN
	INSERT INTO \`certificate_search\` (\`certificate_search\`, rowid, \`folded\`) VALUES ('delete', old.seq, old.folded);
END;`,
      `CREATE TRIGGER \`reindex_certificate\` AFTER UPDATE OF \`folded\`, \`withdrawn_at\` ON \`certificates\` WHEN old.folded <> new.folded OR (old.withdrawn_at is null) <> (new.withdrawn_at is null) BEGIN
	INSERT INTO \`certificate_search\` (\`certificate_search\`, rowid, \`folded\`) SELECT 'delete', old.seq, old.folded WHERE old.withdrawn_at is null;
	INSERT INTO \`certificate_search\` (rowid, \`folded\`) SELECT new.seq, new.folded WHERE new.withdrawn_at is null;
END;`,
      `UPDATE \`certificates\` SET \`folded\` = lower(\`certificate_number\` || char(10) || \`student_name\` || char(10) || \`course\`) WHERE withdrawn_at is not null;`,
      `-- The history is append-only: personal values can only be blanked, together with their salt.
CREATE TRIGGER \`record_changes_no_delete\` BEFORE DELETE ON \`record_changes\` BEGIN
	SELECT raise(ABORT, 'the history is append-only');
END;`,
      `CREATE TRIGGER \`record_changes_no_update\` BEFORE UPDATE OF \`id\`, \`kind\`, \`record_id\`, \`version\`, \`action\`, \`label\`, \`at\`, \`actor_id\`, \`source_kind\`, \`source_id\`, \`source_label\`, \`digest\`, \`log_id\` ON \`record_changes\` BEGIN
	SELECT raise(ABORT, 'the history is append-only');
END;`,
      `CREATE TRIGGER \`record_changes_blank_only\` BEFORE UPDATE OF \`fields\`, \`reason\`, \`salt\` ON \`record_changes\` WHEN new.fields is not null OR new.reason is not null OR new.salt is not null BEGIN
	SELECT raise(ABORT, 'values of the history can only be blanked');
END;`,
    ],
  },
  {
    name: '0006_register_indexes',
    statements: [
      `CREATE INDEX \`certificates_by_course\` ON \`certificates\` (\`course\`,\`withdrawn_at\`) WHERE withdrawn_at is null;`,
      `CREATE INDEX \`certificates_by_department\` ON \`certificates\` (\`department\`,\`withdrawn_at\`) WHERE withdrawn_at is null;`,
      `CREATE INDEX \`certificates_by_grade\` ON \`certificates\` (\`grade\`,\`withdrawn_at\`) WHERE withdrawn_at is null;`,
      `CREATE INDEX \`certificates_by_graduation\` ON \`certificates\` (\`graduation_date\`) WHERE withdrawn_at is null;`,
      `CREATE INDEX \`certificates_by_day\` ON \`certificates\` (\`uploaded_at\`) WHERE withdrawn_at is null;`,
      `CREATE INDEX \`certificates_by_uploader\` ON \`certificates\` (\`uploader_email\`) WHERE withdrawn_at is null;`,
      `CREATE INDEX \`certificates_by_upload\` ON \`certificates\` (\`upload_seq\`) WHERE upload_seq is not null;`,
      `CREATE INDEX \`certificates_by_matric\` ON \`certificates\` (upper(matric_number)) WHERE withdrawn_at is null and matric_number is not null;`,
      `CREATE INDEX \`certificates_by_name\` ON \`certificates\` (substr(folded, instr(folded, char(10)) + 1)) WHERE withdrawn_at is null;`,
    ],
  },
  {
    name: '0007_register_jobs',
    statements: [
      `CREATE TABLE \`register_job_rows\` (
	\`id\` integer PRIMARY KEY NOT NULL,
	\`certificate_seq\` integer NOT NULL,
	\`certificate_number\` text NOT NULL,
	\`version\` integer NOT NULL,
	\`action\` text,
	\`status\` text,
	\`reason\` text
);`,
      `CREATE TABLE \`register_jobs\` (
	\`seq\` integer PRIMARY KEY NOT NULL,
	\`id\` text NOT NULL,
	\`kind\` text NOT NULL,
	\`state\` text NOT NULL,
	\`author_id\` text NOT NULL,
	\`ip_address\` text,
	\`request_id\` text,
	\`reason\` text NOT NULL,
	\`set\` text,
	\`target_id\` text,
	\`total\` integer NOT NULL,
	\`processed\` integer DEFAULT 0 NOT NULL,
	\`changed\` integer DEFAULT 0 NOT NULL,
	\`unchanged\` integer DEFAULT 0 NOT NULL,
	\`skipped\` integer DEFAULT 0 NOT NULL,
	\`cursor_added\` integer DEFAULT 0 NOT NULL,
	\`cursor_change\` integer DEFAULT 0 NOT NULL,
	\`error\` text,
	\`cancel_requested\` integer DEFAULT false NOT NULL,
	\`lease_until\` integer,
	\`idempotency_key\` text,
	\`request_hash\` text NOT NULL,
	\`created_at\` integer NOT NULL,
	\`started_at\` integer,
	\`finished_at\` integer
);`,
      `CREATE UNIQUE INDEX \`register_jobs_id_unique\` ON \`register_jobs\` (\`id\`);`,
      `CREATE INDEX \`register_jobs_open\` ON \`register_jobs\` (\`lease_until\`) WHERE lease_until is not null;`,
      `CREATE UNIQUE INDEX \`register_jobs_revert\` ON \`register_jobs\` (\`target_id\`) WHERE target_id is not null and state in ('queued', 'running', 'done');`,
      `CREATE INDEX \`register_jobs_by_target\` ON \`register_jobs\` (\`target_id\`) WHERE target_id is not null;`,
      `CREATE UNIQUE INDEX \`register_jobs_idempotency\` ON \`register_jobs\` (\`author_id\`,\`idempotency_key\`) WHERE idempotency_key is not null;`,
      `ALTER TABLE \`uploads\` ADD \`recorded\` integer DEFAULT false NOT NULL;`,
    ],
  },
  {
    name: '0008_users_by_lastname',
    statements: [
      `CREATE INDEX \`users_by_lastname\` ON \`users\` (lower(lastname),\`created_at\`);`,
    ],
  },
  {
    name: '0009_search_phones',
    statements: [
      `-- Accounts are also found by their phone number, as it was entered and without separators. The names of existing accounts
-- are folded already, so that their text is extended rather than written again.
DROP TRIGGER \`write_user_text\`;`,
      `DROP TRIGGER \`rewrite_user_text\`;`,
      `DROP TRIGGER \`reindex_user_text\`;`,
      `UPDATE \`user_texts\` SET \`folded\` = substr(\`user_texts\`.\`folded\`, 1, instr(\`user_texts\`.\`folded\`, char(10))) || lower(users.phone) || char(10) || replace(replace(replace(replace(replace(lower(users.phone), ' ', ''), '(', ''), ')', ''), '.', ''), '-', '') || substr(\`user_texts\`.\`folded\`, instr(\`user_texts\`.\`folded\`, char(10))) FROM \`users\` WHERE users.id = \`user_texts\`.\`user_id\`;`,
      `INSERT INTO \`user_search\` (\`user_search\`) VALUES ('rebuild');`,
      `INSERT INTO \`user_word_search\` (\`user_word_search\`) VALUES ('rebuild');`,
      `CREATE TRIGGER \`write_user_text\` AFTER INSERT ON \`users\` BEGIN
	INSERT INTO \`user_texts\` (\`user_id\`, \`folded\`) VALUES (new.id, lower(new.email || char(10) || new.phone || char(10) || replace(replace(replace(replace(replace(new.phone, ' ', ''), '(', ''), ')', ''), '.', ''), '-', '') || char(10) || new.firstname || ' ' || new.lastname || coalesce(char(10) || new.firstname || ' ' || new.middlename || ' ' || new.lastname, '')));
END;`,
      `CREATE TRIGGER \`rewrite_user_text\` AFTER UPDATE OF \`email\`, \`firstname\`, \`middlename\`, \`lastname\`, \`phone\` ON \`users\` WHEN new.email <> old.email OR new.firstname <> old.firstname OR new.middlename is not old.middlename OR new.lastname <> old.lastname OR new.phone <> old.phone BEGIN
	UPDATE \`user_texts\` SET \`folded\` = lower(new.email || char(10) || new.phone || char(10) || replace(replace(replace(replace(replace(new.phone, ' ', ''), '(', ''), ')', ''), '.', ''), '-', '') || char(10) || new.firstname || ' ' || new.lastname || coalesce(char(10) || new.firstname || ' ' || new.middlename || ' ' || new.lastname, '')) WHERE \`user_id\` = new.id;
END;`,
      `CREATE TRIGGER \`reindex_user_text\` AFTER UPDATE OF \`folded\` ON \`user_texts\` WHEN old.folded <> new.folded BEGIN
	INSERT INTO \`user_search\` (\`user_search\`, rowid, \`folded\`) VALUES ('delete', old.seq, old.folded);
	INSERT INTO \`user_search\` (rowid, \`folded\`) VALUES (new.seq, new.folded);
	INSERT INTO \`user_word_search\` (\`user_word_search\`, rowid, \`folded\`) VALUES ('delete', old.seq, old.folded);
	INSERT INTO \`user_word_search\` (rowid, \`folded\`) VALUES (new.seq, new.folded);
END;`,
    ],
  },
  {
    name: '0010_organisations',
    statements: [
      `CREATE TABLE \`organisation_batch_items\` (
	\`seq\` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	\`batch_id\` text NOT NULL,
	\`certificate_number\` text NOT NULL,
	\`status\` text NOT NULL,
	\`message\` text,
	\`verification_id\` text
);`,
      `CREATE INDEX \`organisation_batch_items_by_batch\` ON \`organisation_batch_items\` (\`batch_id\`,\`seq\`);`,
      `CREATE INDEX \`organisation_batch_items_pending\` ON \`organisation_batch_items\` (\`batch_id\`,\`seq\`) WHERE status = 'pending';`,
      `CREATE INDEX \`organisation_batch_items_by_status\` ON \`organisation_batch_items\` (\`batch_id\`,\`status\`);`,
      `CREATE TABLE \`organisation_batches\` (
	\`seq\` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	\`id\` text NOT NULL,
	\`organisation_id\` text NOT NULL,
	\`name\` text,
	\`purpose\` text,
	\`status\` text NOT NULL,
	\`fee_minor\` integer NOT NULL,
	\`unknown_policy\` text NOT NULL,
	\`tax_name\` text,
	\`tax_basis_points\` integer,
	\`total\` integer NOT NULL,
	\`waiting_until\` integer,
	\`requested_by\` text,
	\`ip_address\` text,
	\`request_id\` text,
	\`source\` text NOT NULL,
	\`livemode\` integer NOT NULL,
	\`lease_until\` integer,
	\`created_at\` integer NOT NULL,
	\`completed_at\` integer,
	FOREIGN KEY (\`organisation_id\`) REFERENCES \`organisations\`(\`id\`) ON UPDATE no action ON DELETE no action
);`,
      `CREATE UNIQUE INDEX \`organisation_batches_id_unique\` ON \`organisation_batches\` (\`id\`);`,
      `CREATE INDEX \`organisation_batches_by_organisation\` ON \`organisation_batches\` (\`organisation_id\`,\`seq\`);`,
      `CREATE INDEX \`organisation_batches_running\` ON \`organisation_batches\` (\`created_at\`) WHERE status = 'processing';`,
      `CREATE TABLE \`organisation_holds\` (
	\`id\` text PRIMARY KEY NOT NULL,
	\`organisation_id\` text NOT NULL,
	\`batch_item_seq\` integer,
	\`verification_id\` text,
	\`amount_minor\` integer NOT NULL,
	\`state\` text NOT NULL,
	\`created_at\` integer NOT NULL,
	\`ended_at\` integer,
	FOREIGN KEY (\`organisation_id\`) REFERENCES \`organisations\`(\`id\`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "organisation_holds_amount" CHECK("organisation_holds"."amount_minor" > 0)
);`,
      `CREATE UNIQUE INDEX \`organisation_holds_batch_item_seq_unique\` ON \`organisation_holds\` (\`batch_item_seq\`);`,
      `CREATE UNIQUE INDEX \`organisation_holds_verification_id_unique\` ON \`organisation_holds\` (\`verification_id\`);`,
      `CREATE INDEX \`organisation_holds_open\` ON \`organisation_holds\` (\`organisation_id\`,\`created_at\`) WHERE state = 'held';`,
      `CREATE INDEX \`organisation_holds_old\` ON \`organisation_holds\` (\`created_at\`) WHERE state = 'held';`,
      `CREATE TABLE \`organisation_invoices\` (
	\`id\` text PRIMARY KEY NOT NULL,
	\`organisation_id\` text NOT NULL,
	\`year\` integer NOT NULL,
	\`place\` integer NOT NULL,
	\`amount_minor\` integer NOT NULL,
	\`state\` text NOT NULL,
	\`due_on\` text NOT NULL,
	\`addressee\` text NOT NULL,
	\`bank_details\` text NOT NULL,
	\`created_by\` text,
	\`created_at\` integer NOT NULL,
	\`expires_at\` integer NOT NULL,
	\`paid_at\` integer,
	\`payment_id\` text,
	FOREIGN KEY (\`organisation_id\`) REFERENCES \`organisations\`(\`id\`) ON UPDATE no action ON DELETE no action
);`,
      `CREATE UNIQUE INDEX \`organisation_invoices_number\` ON \`organisation_invoices\` (\`year\`,\`place\`);`,
      `CREATE INDEX \`organisation_invoices_by_organisation\` ON \`organisation_invoices\` (\`organisation_id\`,\`created_at\`);`,
      `CREATE INDEX \`organisation_invoices_open\` ON \`organisation_invoices\` (\`expires_at\`) WHERE state = 'open';`,
      `CREATE TABLE \`organisation_movements\` (
	\`seq\` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	\`id\` text NOT NULL,
	\`organisation_id\` text NOT NULL,
	\`type\` text NOT NULL,
	\`amount_minor\` integer NOT NULL,
	\`balance_after_minor\` integer NOT NULL,
	\`description\` text NOT NULL,
	\`payment_id\` text NOT NULL,
	\`dedupe_key\` text NOT NULL,
	\`at\` integer NOT NULL,
	FOREIGN KEY (\`organisation_id\`) REFERENCES \`organisations\`(\`id\`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (\`payment_id\`) REFERENCES \`payments\`(\`id\`) ON UPDATE no action ON DELETE no action
);`,
      `CREATE UNIQUE INDEX \`organisation_movements_id_unique\` ON \`organisation_movements\` (\`id\`);`,
      `CREATE UNIQUE INDEX \`organisation_movements_dedupe_key_unique\` ON \`organisation_movements\` (\`dedupe_key\`);`,
      `CREATE INDEX \`organisation_movements_by_organisation\` ON \`organisation_movements\` (\`organisation_id\`,\`seq\`);`,
      `CREATE INDEX \`organisation_movements_by_time\` ON \`organisation_movements\` (\`organisation_id\`,\`at\`);`,
      `CREATE INDEX \`organisation_movements_by_type\` ON \`organisation_movements\` (\`type\`,\`at\`);`,
      `CREATE INDEX \`organisation_movements_by_payment\` ON \`organisation_movements\` (\`payment_id\`);`,
      `CREATE TABLE \`organisation_transfers\` (
	\`payment_id\` text PRIMARY KEY NOT NULL,
	\`organisation_id\` text NOT NULL,
	\`kind\` text NOT NULL,
	\`bank_reference\` text NOT NULL,
	\`reference_key\` text NOT NULL,
	\`received_on\` text,
	\`invoice_id\` text,
	\`note\` text,
	\`reversed_at\` integer,
	\`created_at\` integer NOT NULL,
	FOREIGN KEY (\`payment_id\`) REFERENCES \`payments\`(\`id\`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (\`organisation_id\`) REFERENCES \`organisations\`(\`id\`) ON UPDATE no action ON DELETE no action
);`,
      `CREATE UNIQUE INDEX \`organisation_transfers_reference\` ON \`organisation_transfers\` (\`reference_key\`) WHERE kind = 'credit' and reversed_at is null;`,
      `CREATE INDEX \`organisation_transfers_by_organisation\` ON \`organisation_transfers\` (\`organisation_id\`,\`created_at\`);`,
      `CREATE TABLE \`organisation_verifications\` (
	\`seq\` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	\`id\` text NOT NULL,
	\`organisation_id\` text NOT NULL,
	\`certificate_number\` text NOT NULL,
	\`reference\` text,
	\`purpose\` text,
	\`status\` text NOT NULL,
	\`result\` text,
	\`amount_minor\` integer NOT NULL,
	\`payment_id\` text,
	\`batch_id\` text,
	\`requested_by\` text,
	\`source\` text NOT NULL,
	\`livemode\` integer NOT NULL,
	\`created_at\` integer NOT NULL,
	\`completed_at\` integer,
	FOREIGN KEY (\`organisation_id\`) REFERENCES \`organisations\`(\`id\`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (\`payment_id\`) REFERENCES \`payments\`(\`id\`) ON UPDATE no action ON DELETE no action
);`,
      `CREATE UNIQUE INDEX \`organisation_verifications_id_unique\` ON \`organisation_verifications\` (\`id\`);`,
      `CREATE INDEX \`organisation_verifications_by_organisation\` ON \`organisation_verifications\` (\`organisation_id\`,\`seq\`);`,
      `CREATE INDEX \`organisation_verifications_by_number\` ON \`organisation_verifications\` (\`organisation_id\`,\`certificate_number\`);`,
      `CREATE INDEX \`organisation_verifications_by_result\` ON \`organisation_verifications\` (\`organisation_id\`,\`livemode\`,\`result\`);`,
      `CREATE INDEX \`organisation_verifications_by_payment\` ON \`organisation_verifications\` (\`payment_id\`);`,
      `CREATE INDEX \`organisation_verifications_by_requester\` ON \`organisation_verifications\` (\`requested_by\`);`,
      `CREATE TABLE \`organisation_idempotency_keys\` (
	\`scope\` text NOT NULL,
	\`key\` text NOT NULL,
	\`request_hash\` text NOT NULL,
	\`reply\` text NOT NULL,
	\`created_at\` integer NOT NULL,
	PRIMARY KEY(\`scope\`, \`key\`)
);`,
      `CREATE INDEX \`organisation_idempotency_keys_by_time\` ON \`organisation_idempotency_keys\` (\`created_at\`);`,
      `CREATE TABLE \`organisation_invitations\` (
	\`id\` text PRIMARY KEY NOT NULL,
	\`organisation_id\` text NOT NULL,
	\`email\` text NOT NULL,
	\`role\` text NOT NULL,
	\`state\` text NOT NULL,
	\`token_hash\` text NOT NULL,
	\`invited_by\` text,
	\`expires_at\` integer NOT NULL,
	\`created_at\` integer NOT NULL,
	FOREIGN KEY (\`organisation_id\`) REFERENCES \`organisations\`(\`id\`) ON UPDATE no action ON DELETE no action
);`,
      `CREATE UNIQUE INDEX \`organisation_invitations_token_hash_unique\` ON \`organisation_invitations\` (\`token_hash\`);`,
      `CREATE INDEX \`organisation_invitations_by_organisation\` ON \`organisation_invitations\` (\`organisation_id\`,\`created_at\`);`,
      `CREATE INDEX \`organisation_invitations_by_email\` ON \`organisation_invitations\` (\`email\`);`,
      `CREATE UNIQUE INDEX \`organisation_invitations_one_pending\` ON \`organisation_invitations\` (\`organisation_id\`,\`email\`) WHERE state = 'pending';`,
      `CREATE TABLE \`organisation_members\` (
	\`organisation_id\` text NOT NULL,
	\`user_id\` text NOT NULL,
	\`role\` text NOT NULL,
	\`joined_at\` integer NOT NULL,
	PRIMARY KEY(\`organisation_id\`, \`user_id\`),
	FOREIGN KEY (\`organisation_id\`) REFERENCES \`organisations\`(\`id\`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (\`user_id\`) REFERENCES \`users\`(\`id\`) ON UPDATE no action ON DELETE no action
);`,
      `CREATE INDEX \`organisation_members_by_user\` ON \`organisation_members\` (\`user_id\`,\`organisation_id\`);`,
      `CREATE TABLE \`organisations\` (
	\`id\` text PRIMARY KEY NOT NULL,
	\`name\` text NOT NULL,
	\`line1\` text NOT NULL,
	\`line2\` text,
	\`city\` text NOT NULL,
	\`region\` text NOT NULL,
	\`country\` text NOT NULL,
	\`contact_email\` text NOT NULL,
	\`phone\` text NOT NULL,
	\`registration_number\` text,
	\`website\` text,
	\`state\` text NOT NULL,
	\`state_reason\` text,
	\`vetted_at\` integer,
	\`balance_minor\` integer DEFAULT 0 NOT NULL,
	\`held_minor\` integer DEFAULT 0 NOT NULL,
	\`debt_minor\` integer DEFAULT 0 NOT NULL,
	\`low_balance_alert_minor\` integer,
	\`low_balance_told\` integer DEFAULT 0 NOT NULL,
	\`created_by\` text,
	\`created_at\` integer NOT NULL,
	\`updated_at\` integer NOT NULL,
	\`version\` integer DEFAULT 1 NOT NULL,
	FOREIGN KEY (\`id\`) REFERENCES \`users\`(\`id\`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "organisations_held" CHECK("organisations"."held_minor" >= 0 and "organisations"."held_minor" <= "organisations"."balance_minor"),
	CONSTRAINT "organisations_debt" CHECK("organisations"."debt_minor" >= 0)
);`,
      `CREATE INDEX \`organisations_by_time\` ON \`organisations\` (\`created_at\`,\`id\`);`,
      `DROP INDEX \`payments_at_gateway\`;`,
      `ALTER TABLE \`payments\` ADD \`organisation_id\` text;`,
      `ALTER TABLE \`payments\` ADD \`purpose\` text DEFAULT 'verification' NOT NULL;`,
      `CREATE INDEX \`payments_by_organisation\` ON \`payments\` (\`organisation_id\`,\`created_at\`,\`id\`) WHERE organisation_id is not null;`,
      `CREATE INDEX \`payments_topups\` ON \`payments\` (\`created_at\`) WHERE purpose = 'topup';`,
      `CREATE INDEX \`payments_at_gateway\` ON \`payments\` (\`created_at\`) WHERE provider <> 'demo' and amount_minor > 0 and provider not in ('balance', 'bank');`,
      `ALTER TABLE \`activity_log\` ADD \`organisation_id\` text;`,
      `CREATE INDEX \`activity_by_organisation\` ON \`activity_log\` (\`organisation_id\`,\`id\`) WHERE organisation_id is not null;`,
      `-- Counters of payments are of those at a gateway; charges to a balance and bank transfers have their own lists.
DROP TRIGGER \`count_payment\`;`,
      `CREATE TRIGGER \`count_payment\` AFTER INSERT ON \`payments\` WHEN new.\`provider\` NOT IN ('balance', 'bank') BEGIN
	INSERT INTO \`payment_counters\` (\`day\`, \`status\`, \`total\`, \`due_minor\`, \`paid_minor\`) VALUES (date(new.\`created_at\` / 1000, 'unixepoch'), new.\`status\`, 1, new.\`amount_minor\`, coalesce(new.\`amount_paid_minor\`, 0))
	ON CONFLICT (\`day\`, \`status\`) DO UPDATE SET \`total\` = \`total\` + 1, \`due_minor\` = \`due_minor\` + excluded.\`due_minor\`, \`paid_minor\` = \`paid_minor\` + excluded.\`paid_minor\`;
END;`,
      `DROP TRIGGER \`recount_payment\`;`,
      `CREATE TRIGGER \`recount_payment\` AFTER UPDATE OF \`status\`, \`created_at\`, \`amount_minor\`, \`amount_paid_minor\` ON \`payments\` WHEN new.\`provider\` NOT IN ('balance', 'bank') AND (old.\`status\` <> new.\`status\` OR old.\`created_at\` <> new.\`created_at\` OR old.\`amount_minor\` <> new.\`amount_minor\` OR old.\`amount_paid_minor\` is not new.\`amount_paid_minor\`) BEGIN
	UPDATE \`payment_counters\` SET \`total\` = \`total\` - 1, \`due_minor\` = \`due_minor\` - old.\`amount_minor\`, \`paid_minor\` = \`paid_minor\` - coalesce(old.\`amount_paid_minor\`, 0) WHERE \`day\` = date(old.\`created_at\` / 1000, 'unixepoch') AND \`status\` = old.\`status\`;
	INSERT INTO \`payment_counters\` (\`day\`, \`status\`, \`total\`, \`due_minor\`, \`paid_minor\`) VALUES (date(new.\`created_at\` / 1000, 'unixepoch'), new.\`status\`, 1, new.\`amount_minor\`, coalesce(new.\`amount_paid_minor\`, 0))
	ON CONFLICT (\`day\`, \`status\`) DO UPDATE SET \`total\` = \`total\` + 1, \`due_minor\` = \`due_minor\` + excluded.\`due_minor\`, \`paid_minor\` = \`paid_minor\` + excluded.\`paid_minor\`;
END;`,
    ],
  },
  {
    name: '0011_search_companies',
    statements: [
      `-- Accounts are also found by their company, the part of their address before the first comma.
DROP TRIGGER \`write_user_text\`;`,
      `DROP TRIGGER \`rewrite_user_text\`;`,
      `DROP TRIGGER \`reindex_user_text\`;`,
      `UPDATE \`user_texts\` SET \`folded\` = \`user_texts\`.\`folded\` || char(10) || lower(trim(replace(substr(users.address, 1, instr(users.address || ',', ',') - 1), char(10), ' '))) FROM \`users\` WHERE users.id = \`user_texts\`.\`user_id\` AND users.address <> '';`,
      `INSERT INTO \`user_search\` (\`user_search\`) VALUES ('rebuild');`,
      `INSERT INTO \`user_word_search\` (\`user_word_search\`) VALUES ('rebuild');`,
      `CREATE TRIGGER \`write_user_text\` AFTER INSERT ON \`users\` BEGIN
	INSERT INTO \`user_texts\` (\`user_id\`, \`folded\`) VALUES (new.id, lower(new.email || char(10) || new.phone || char(10) || replace(replace(replace(replace(replace(new.phone, ' ', ''), '(', ''), ')', ''), '.', ''), '-', '') || char(10) || new.firstname || ' ' || new.lastname || coalesce(char(10) || new.firstname || ' ' || new.middlename || ' ' || new.lastname, '') || iif(new.address = '', '', char(10) || trim(replace(substr(new.address, 1, instr(new.address || ',', ',') - 1), char(10), ' ')))));
END;`,
      `CREATE TRIGGER \`rewrite_user_text\` AFTER UPDATE OF \`email\`, \`firstname\`, \`middlename\`, \`lastname\`, \`phone\`, \`address\` ON \`users\` WHEN new.email <> old.email OR new.firstname <> old.firstname OR new.middlename is not old.middlename OR new.lastname <> old.lastname OR new.phone <> old.phone OR new.address <> old.address BEGIN
	UPDATE \`user_texts\` SET \`folded\` = lower(new.email || char(10) || new.phone || char(10) || replace(replace(replace(replace(replace(new.phone, ' ', ''), '(', ''), ')', ''), '.', ''), '-', '') || char(10) || new.firstname || ' ' || new.lastname || coalesce(char(10) || new.firstname || ' ' || new.middlename || ' ' || new.lastname, '') || iif(new.address = '', '', char(10) || trim(replace(substr(new.address, 1, instr(new.address || ',', ',') - 1), char(10), ' ')))) WHERE \`user_id\` = new.id;
END;`,
      `CREATE TRIGGER \`reindex_user_text\` AFTER UPDATE OF \`folded\` ON \`user_texts\` WHEN old.folded <> new.folded BEGIN
	INSERT INTO \`user_search\` (\`user_search\`, rowid, \`folded\`) VALUES ('delete', old.seq, old.folded);
	INSERT INTO \`user_search\` (rowid, \`folded\`) VALUES (new.seq, new.folded);
	INSERT INTO \`user_word_search\` (\`user_word_search\`, rowid, \`folded\`) VALUES ('delete', old.seq, old.folded);
	INSERT INTO \`user_word_search\` (rowid, \`folded\`) VALUES (new.seq, new.folded);
END;`,
    ],
  },
  {
    name: '0012_session_clients',
    statements: [
      `ALTER TABLE \`sessions\` ADD \`browser\` text;`,
      `ALTER TABLE \`sessions\` ADD \`system\` text;`,
      `ALTER TABLE \`sessions\` ADD \`ip_address\` text;`,
      `ALTER TABLE \`sessions\` ADD \`last_used_at\` integer;`,
    ],
  },
  {
    name: '0013_organisation_events',
    statements: [
      `CREATE TABLE \`organisation_deliveries\` (
	\`seq\` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	\`id\` text NOT NULL,
	\`event_seq\` integer NOT NULL,
	\`endpoint_id\` text NOT NULL,
	\`status\` text NOT NULL,
	\`attempts\` integer DEFAULT 0 NOT NULL,
	\`next_attempt_at\` integer,
	\`lease_until\` integer,
	\`http_status\` integer,
	\`duration_ms\` integer,
	\`error\` text,
	\`response\` text,
	\`last_attempt_at\` integer,
	\`created_at\` integer NOT NULL,
	FOREIGN KEY (\`event_seq\`) REFERENCES \`organisation_events\`(\`seq\`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (\`endpoint_id\`) REFERENCES \`organisation_endpoints\`(\`id\`) ON UPDATE no action ON DELETE no action
);`,
      `CREATE UNIQUE INDEX \`organisation_deliveries_id_unique\` ON \`organisation_deliveries\` (\`id\`);`,
      `CREATE INDEX \`organisation_deliveries_by_event\` ON \`organisation_deliveries\` (\`event_seq\`,\`seq\`);`,
      `CREATE INDEX \`organisation_deliveries_by_endpoint\` ON \`organisation_deliveries\` (\`endpoint_id\`,\`seq\`);`,
      `CREATE INDEX \`organisation_deliveries_pending\` ON \`organisation_deliveries\` (\`endpoint_id\`,\`next_attempt_at\`) WHERE status = 'pending';`,
      `CREATE TABLE \`organisation_endpoints\` (
	\`seq\` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	\`id\` text NOT NULL,
	\`organisation_id\` text NOT NULL,
	\`url\` text NOT NULL,
	\`description\` text,
	\`livemode\` integer NOT NULL,
	\`events\` text NOT NULL,
	\`state\` text NOT NULL,
	\`disabled_reason\` text,
	\`sealed_secret\` text,
	\`previous_secret\` text,
	\`previous_until\` integer,
	\`failing_since\` integer,
	\`failing_told_at\` integer,
	\`last_success_at\` integer,
	\`created_by\` text,
	\`created_at\` integer NOT NULL,
	\`deleted_at\` integer,
	FOREIGN KEY (\`organisation_id\`) REFERENCES \`organisations\`(\`id\`) ON UPDATE no action ON DELETE no action
);`,
      `CREATE UNIQUE INDEX \`organisation_endpoints_id_unique\` ON \`organisation_endpoints\` (\`id\`);`,
      `CREATE INDEX \`organisation_endpoints_by_organisation\` ON \`organisation_endpoints\` (\`organisation_id\`,\`seq\`);`,
      `CREATE INDEX \`organisation_endpoints_failing\` ON \`organisation_endpoints\` (\`failing_since\`) WHERE failing_since is not null and state = 'enabled' and deleted_at is null;`,
      `CREATE TABLE \`organisation_events\` (
	\`seq\` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	\`id\` text NOT NULL,
	\`organisation_id\` text NOT NULL,
	\`type\` text NOT NULL,
	\`livemode\` integer NOT NULL,
	\`body\` text NOT NULL,
	\`dedupe_key\` text,
	\`created_at\` integer NOT NULL,
	FOREIGN KEY (\`organisation_id\`) REFERENCES \`organisations\`(\`id\`) ON UPDATE no action ON DELETE no action
);`,
      `CREATE UNIQUE INDEX \`organisation_events_id_unique\` ON \`organisation_events\` (\`id\`);`,
      `CREATE UNIQUE INDEX \`organisation_events_dedupe_key_unique\` ON \`organisation_events\` (\`dedupe_key\`);`,
      `CREATE INDEX \`organisation_events_by_organisation\` ON \`organisation_events\` (\`organisation_id\`,\`seq\`);`,
    ],
  },
  {
    name: '0014_organisation_keys',
    statements: [
      `CREATE TABLE \`organisation_keys\` (
	\`seq\` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	\`id\` text NOT NULL,
	\`organisation_id\` text NOT NULL,
	\`name\` text NOT NULL,
	\`mode\` text NOT NULL,
	\`access\` text NOT NULL,
	\`hash\` text NOT NULL,
	\`prefix\` text NOT NULL,
	\`last4\` text NOT NULL,
	\`created_by\` text,
	\`created_at\` integer NOT NULL,
	\`expires_at\` integer NOT NULL,
	\`last_used_at\` integer,
	\`revoked_at\` integer,
	\`rotated_at\` integer,
	\`warned_at\` integer,
	FOREIGN KEY (\`organisation_id\`) REFERENCES \`organisations\`(\`id\`) ON UPDATE no action ON DELETE no action
);`,
      `CREATE UNIQUE INDEX \`organisation_keys_id_unique\` ON \`organisation_keys\` (\`id\`);`,
      `CREATE UNIQUE INDEX \`organisation_keys_hash_unique\` ON \`organisation_keys\` (\`hash\`);`,
      `CREATE INDEX \`organisation_keys_by_organisation\` ON \`organisation_keys\` (\`organisation_id\`,\`seq\`);`,
      `CREATE INDEX \`organisation_keys_expiring\` ON \`organisation_keys\` (\`expires_at\`) WHERE revoked_at is null and rotated_at is null and warned_at is null;`,
      `ALTER TABLE \`organisation_verifications\` ADD \`due_at\` integer;`,
      `CREATE INDEX \`organisation_verifications_due\` ON \`organisation_verifications\` (\`due_at\`) WHERE due_at is not null;`,
      `CREATE INDEX \`organisation_verifications_test\` ON \`organisation_verifications\` (\`created_at\`) WHERE livemode = 0;`,
      `CREATE INDEX \`organisation_batches_test\` ON \`organisation_batches\` (\`created_at\`) WHERE livemode = 0;`,
    ],
  },
  {
    name: '0015_payments_without_gateway',
    statements: [
      `DROP INDEX \`payments_at_gateway\`;`,
      `ALTER TABLE \`payments\` ADD \`without_gateway\` integer DEFAULT false NOT NULL;`,
      `-- From here on, the store decides which payments are counted (decision 092).
UPDATE \`payments\` SET \`without_gateway\` = 1 WHERE \`provider\` IN ('balance', 'bank');`,
      `CREATE INDEX \`payments_at_gateway\` ON \`payments\` (\`created_at\`) WHERE provider <> 'demo' and amount_minor > 0 and without_gateway = 0;`,
      `DROP TRIGGER \`count_payment\`;`,
      `CREATE TRIGGER \`count_payment\` AFTER INSERT ON \`payments\` WHEN new.\`without_gateway\` = 0 BEGIN
	INSERT INTO \`payment_counters\` (\`day\`, \`status\`, \`total\`, \`due_minor\`, \`paid_minor\`) VALUES (date(new.\`created_at\` / 1000, 'unixepoch'), new.\`status\`, 1, new.\`amount_minor\`, coalesce(new.\`amount_paid_minor\`, 0))
	ON CONFLICT (\`day\`, \`status\`) DO UPDATE SET \`total\` = \`total\` + 1, \`due_minor\` = \`due_minor\` + excluded.\`due_minor\`, \`paid_minor\` = \`paid_minor\` + excluded.\`paid_minor\`;
END;`,
      `DROP TRIGGER \`recount_payment\`;`,
      `CREATE TRIGGER \`recount_payment\` AFTER UPDATE OF \`status\`, \`created_at\`, \`amount_minor\`, \`amount_paid_minor\` ON \`payments\` WHEN new.\`without_gateway\` = 0 AND (old.\`status\` <> new.\`status\` OR old.\`created_at\` <> new.\`created_at\` OR old.\`amount_minor\` <> new.\`amount_minor\` OR old.\`amount_paid_minor\` is not new.\`amount_paid_minor\`) BEGIN
	UPDATE \`payment_counters\` SET \`total\` = \`total\` - 1, \`due_minor\` = \`due_minor\` - old.\`amount_minor\`, \`paid_minor\` = \`paid_minor\` - coalesce(old.\`amount_paid_minor\`, 0) WHERE \`day\` = date(old.\`created_at\` / 1000, 'unixepoch') AND \`status\` = old.\`status\`;
	INSERT INTO \`payment_counters\` (\`day\`, \`status\`, \`total\`, \`due_minor\`, \`paid_minor\`) VALUES (date(new.\`created_at\` / 1000, 'unixepoch'), new.\`status\`, 1, new.\`amount_minor\`, coalesce(new.\`amount_paid_minor\`, 0))
	ON CONFLICT (\`day\`, \`status\`) DO UPDATE SET \`total\` = \`total\` + 1, \`due_minor\` = \`due_minor\` + excluded.\`due_minor\`, \`paid_minor\` = \`paid_minor\` + excluded.\`paid_minor\`;
END;`,
    ],
  },
  {
    name: '0016_webhook_endpoints_deleted',
    statements: [
      `CREATE INDEX \`organisation_endpoints_deleted\` ON \`organisation_endpoints\` (\`deleted_at\`) WHERE deleted_at is not null;`,
    ],
  },
  {
    name: '0017_plain_names',
    statements: [
      `ALTER TABLE \`kept_pointers\` RENAME TO \`stored_pointers\`;`,
      `ALTER TABLE \`letters\` RENAME COLUMN "told_status" TO "notified_status";`,
      `ALTER TABLE \`letters\` RENAME COLUMN "tell_status" TO "pending_status";`,
      `ALTER TABLE \`organisation_endpoints\` RENAME COLUMN "failing_told_at" TO "failing_notified_at";`,
      `ALTER TABLE \`organisations\` RENAME COLUMN "low_balance_told" TO "low_balance_notified";`,
      `DROP INDEX \`letters_untold\`;`,
      `CREATE INDEX \`letters_notification_due\` ON \`letters\` (\`user_id\`) WHERE pending_status is not null;`,
      `UPDATE \`payment_events\` SET \`source\` = 'scheduler' WHERE \`source\` = 'tick';`,
    ],
  },
  {
    name: '0018_upload_batches',
    statements: [
      `CREATE TABLE \`upload_batches\` (
	\`id\` integer PRIMARY KEY NOT NULL,
	\`last_id\` integer NOT NULL,
	\`rows\` text NOT NULL
);`,
    ],
  },
  {
    name: '0019_sort_names',
    statements: [
      `-- Last names with other than ASCII characters sort as they are folded in the search text: on its fourth line, after the
-- words of the first name.
ALTER TABLE \`users\` ADD \`sort_name\` text;`,
      `UPDATE \`users\` SET \`sort_name\` = (
	WITH RECURSIVE lines (n, rest) AS (
		SELECT 0, folded || char(10) FROM \`user_texts\` WHERE user_id = users.id
		UNION ALL SELECT n + 1, substr(rest, instr(rest, char(10)) + 1) FROM lines WHERE n < 3),
	words (n, rest) AS (
		SELECT length(users.firstname) - length(replace(users.firstname, ' ', '')) + 1, substr(rest, 1, instr(rest, char(10)) - 1) FROM lines WHERE n = 3
		UNION ALL SELECT n - 1, substr(rest, instr(rest, ' ') + 1) FROM words WHERE n > 0)
	SELECT rest FROM words WHERE n = 0
) WHERE \`erased_at\` IS NULL AND \`lastname\` GLOB '*[^ -~]*';`,
      `DROP INDEX \`users_by_lastname\`;`,
      `CREATE INDEX \`users_by_lastname\` ON \`users\` (coalesce(sort_name, lower(lastname)),\`created_at\`);`,
      `DROP INDEX \`certificates_by_name\`;`,
      `CREATE INDEX \`certificates_by_name\` ON \`certificates\` (substr(folded, instr(folded, char(10)) + 1, instr(substr(folded, instr(folded, char(10)) + 1), char(10)) - 1)) WHERE withdrawn_at is null;`,
    ],
  },
  {
    name: '0020_daily_counters',
    statements: [
      `CREATE TABLE \`counter_rollup\` (
	\`id\` integer PRIMARY KEY NOT NULL,
	\`day\` text NOT NULL
);`,
      `DROP INDEX \`payment_items_by_certificate\`;`,
      `DROP INDEX \`payment_items_by_number\`;`,
      `CREATE INDEX \`payment_items_by_number\` ON \`payment_items\` (\`certificate_number\`,\`user_id\`);`,
      `DROP INDEX \`letters_status_index\`;`,
      `CREATE UNIQUE INDEX \`letters_status_index\` ON \`letters\` (\`status_index\`) WHERE status_index is not null;`,
      `DROP INDEX \`payments_provider_txn\`;`,
      `CREATE UNIQUE INDEX \`payments_provider_txn\` ON \`payments\` (\`provider\`,\`provider_txn_id\`) WHERE provider_txn_id is not null;`,
      `-- Changes count for their day only, from the first day on that was not added up yet.
INSERT INTO \`counter_rollup\` (\`id\`, \`day\`) VALUES (1, coalesce((SELECT date(max(\`period\`), '+1 day') FROM (
	SELECT max(\`period\`) AS \`period\` FROM \`activity_counters\` WHERE \`unit\` = 'day'
	UNION ALL SELECT max(\`period\`) FROM \`ranked_counters\` WHERE \`kind\` = 'course' AND \`unit\` = 'day'
	UNION ALL SELECT max(\`period\`) FROM \`ranked_counters\` WHERE \`kind\` = 'organisation' AND \`unit\` = 'day')), ''));`,
      `DROP TRIGGER \`rank_course\`;`,
      `CREATE TRIGGER \`rank_course\` AFTER INSERT ON \`fulfilments\` WHEN new.outcome = 'verified' BEGIN
	INSERT INTO \`ranked_counters\` (\`kind\`, \`unit\`, \`period\`, \`name\`, \`verifications\`, \`successful\`)
	SELECT 'course', \`unit\`, substr(date(new.at / 1000, 'unixepoch'), 1, \`length\`), trim(coalesce(json_extract(new.snapshot, '$.course'), '')), 1, 1
	FROM (SELECT 'day' AS \`unit\`, 10 AS \`length\` UNION ALL SELECT 'month', 7 UNION ALL SELECT 'year', 4 UNION ALL SELECT 'all', 0)
	WHERE \`unit\` = 'day' OR date(new.at / 1000, 'unixepoch') < (SELECT \`day\` FROM \`counter_rollup\`)
	ON CONFLICT (\`kind\`, \`unit\`, \`period\`, \`name\`) DO UPDATE SET \`verifications\` = \`verifications\` + 1, \`successful\` = \`successful\` + 1;
END;`,
      `DROP TRIGGER \`rank_organisation\`;`,
      `CREATE TRIGGER \`rank_organisation\` AFTER INSERT ON \`fulfilments\` WHEN new.outcome <> 'refund_due' BEGIN
	INSERT INTO \`ranked_counters\` (\`kind\`, \`unit\`, \`period\`, \`name\`, \`verifications\`, \`successful\`)
	SELECT 'organisation', \`unit\`, substr(date(new.at / 1000, 'unixepoch'), 1, \`length\`), coalesce((SELECT trim(substr(\`address\`, 1, instr(\`address\` || ',', ',') - 1)) FROM \`users\` WHERE \`id\` = new.user_id), ''), 1, new.outcome = 'verified'
	FROM (SELECT 'day' AS \`unit\`, 10 AS \`length\` UNION ALL SELECT 'month', 7 UNION ALL SELECT 'year', 4 UNION ALL SELECT 'all', 0)
	WHERE \`unit\` = 'day' OR date(new.at / 1000, 'unixepoch') < (SELECT \`day\` FROM \`counter_rollup\`)
	ON CONFLICT (\`kind\`, \`unit\`, \`period\`, \`name\`) DO UPDATE SET \`verifications\` = \`verifications\` + 1, \`successful\` = \`successful\` + excluded.successful;
END;`,
      `DROP TRIGGER \`rank_revenue\`;`,
      `CREATE TRIGGER \`rank_revenue\` AFTER INSERT ON \`ledger_entries\` WHEN new.account = 'revenue' BEGIN
	INSERT INTO \`ranked_counters\` (\`kind\`, \`unit\`, \`period\`, \`name\`, \`revenue_minor\`)
	SELECT 'organisation', \`unit\`, substr(date(new.at / 1000, 'unixepoch'), 1, \`length\`), coalesce((SELECT trim(substr(\`address\`, 1, instr(\`address\` || ',', ',') - 1)) FROM \`users\` WHERE \`id\` = (SELECT \`user_id\` FROM \`payments\` WHERE \`id\` = new.payment_id)), ''), -new.amount_minor
	FROM (SELECT 'day' AS \`unit\`, 10 AS \`length\` UNION ALL SELECT 'month', 7 UNION ALL SELECT 'year', 4 UNION ALL SELECT 'all', 0)
	WHERE \`unit\` = 'day' OR date(new.at / 1000, 'unixepoch') < (SELECT \`day\` FROM \`counter_rollup\`)
	ON CONFLICT (\`kind\`, \`unit\`, \`period\`, \`name\`) DO UPDATE SET \`revenue_minor\` = \`revenue_minor\` + excluded.revenue_minor;
END;`,
      `DROP TRIGGER \`count_activity\`;`,
      `CREATE TRIGGER \`count_activity\` AFTER INSERT ON \`activity_log\` BEGIN
	INSERT INTO \`activity_counters\` (\`unit\`, \`period\`, \`user_id\`, \`type\`, \`status\`, \`total\`)
	SELECT \`unit\`, substr(date(new.at / 1000, 'unixepoch'), 1, \`length\`), '', coalesce(new.type, ''), coalesce(new.status, ''), 1
	FROM (SELECT 'day' AS \`unit\`, 10 AS \`length\` UNION ALL SELECT 'month', 7 UNION ALL SELECT 'year', 4)
	WHERE \`unit\` = 'day' OR date(new.at / 1000, 'unixepoch') < (SELECT \`day\` FROM \`counter_rollup\`)
	ON CONFLICT (\`unit\`, \`period\`, \`user_id\`, \`type\`, \`status\`) DO UPDATE SET \`total\` = \`total\` + 1;
	INSERT INTO \`activity_counters\` (\`unit\`, \`period\`, \`user_id\`, \`type\`, \`status\`, \`total\`)
	SELECT \`unit\`, substr(date(new.at / 1000, 'unixepoch'), 1, \`length\`), new.user_id, coalesce(new.type, ''), coalesce(new.status, ''), 1
	FROM (SELECT 'day' AS \`unit\`, 10 AS \`length\` UNION ALL SELECT 'month', 7 UNION ALL SELECT 'year', 4)
	WHERE new.user_id is not null AND NOT EXISTS (SELECT 1 FROM \`users\` WHERE \`id\` = new.user_id AND \`role\` = 'user')
		AND (\`unit\` = 'day' OR date(new.at / 1000, 'unixepoch') < (SELECT \`day\` FROM \`counter_rollup\`))
	ON CONFLICT (\`unit\`, \`period\`, \`user_id\`, \`type\`, \`status\`) DO UPDATE SET \`total\` = \`total\` + 1;
END;`,
      `DROP TRIGGER \`hide_activity\`;`,
      `CREATE TRIGGER \`hide_activity\` AFTER UPDATE OF \`role\` ON \`users\` WHEN old.role = 'user' AND new.role <> 'user' BEGIN
	INSERT INTO \`activity_counters\` (\`unit\`, \`period\`, \`user_id\`, \`type\`, \`status\`, \`total\`)
	SELECT \`unit\`, substr(date(\`at\` / 1000, 'unixepoch'), 1, \`length\`), new.id, coalesce(\`type\`, ''), coalesce(\`status\`, ''), count(*)
	FROM \`activity_log\`, (SELECT 'day' AS \`unit\`, 10 AS \`length\` UNION ALL SELECT 'month', 7 UNION ALL SELECT 'year', 4)
	WHERE \`user_id\` = new.id AND (\`unit\` = 'day' OR date(\`at\` / 1000, 'unixepoch') < (SELECT \`day\` FROM \`counter_rollup\`))
	GROUP BY 1, 2, 4, 5;
END;`,
      `DROP TRIGGER \`hide_activity_of_deleted\`;`,
      `CREATE TRIGGER \`hide_activity_of_deleted\` AFTER DELETE ON \`users\` WHEN old.role = 'user' BEGIN
	INSERT INTO \`activity_counters\` (\`unit\`, \`period\`, \`user_id\`, \`type\`, \`status\`, \`total\`)
	SELECT \`unit\`, substr(date(\`at\` / 1000, 'unixepoch'), 1, \`length\`), old.id, coalesce(\`type\`, ''), coalesce(\`status\`, ''), count(*)
	FROM \`activity_log\`, (SELECT 'day' AS \`unit\`, 10 AS \`length\` UNION ALL SELECT 'month', 7 UNION ALL SELECT 'year', 4)
	WHERE \`user_id\` = old.id AND (\`unit\` = 'day' OR date(\`at\` / 1000, 'unixepoch') < (SELECT \`day\` FROM \`counter_rollup\`))
	GROUP BY 1, 2, 4, 5;
END;`,
    ],
  },
  {
    name: '0021_batch_reports',
    statements: [
      `ALTER TABLE \`upload_batches\` ADD \`report\` text;`,
    ],
  },
]
