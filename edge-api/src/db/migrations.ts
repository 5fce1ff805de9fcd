// Made by scripts/migrations.mjs from db/migrations/*.sql. Do not edit.
export const migrations: readonly { name: string; statements: readonly string[] }[] = [
  {
    name: '0000_initial',
    statements: [
      `CREATE TABLE \`activity_log\` (
	\`id\` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	\`user_id\` text,
	\`user_email\` text,
	\`activity\` text NOT NULL,
	\`details\` text DEFAULT '' NOT NULL,
	\`ip_address\` text,
	\`request_id\` text,
	\`at\` integer NOT NULL
);`,
      `CREATE INDEX \`activity_by_time\` ON \`activity_log\` (\`at\`);`,
      `CREATE INDEX \`activity_by_user\` ON \`activity_log\` (\`user_id\`,\`at\`);`,
      `CREATE TABLE \`certificates\` (
	\`id\` text PRIMARY KEY NOT NULL,
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
	\`withdrawn_at\` integer
);`,
      `CREATE UNIQUE INDEX \`certificates_number\` ON \`certificates\` (\`certificate_number\`) WHERE withdrawn_at is null;`,
      `CREATE INDEX \`certificates_by_upload\` ON \`certificates\` (\`uploaded_at\`,\`id\`);`,
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
      `CREATE TABLE \`idempotency_keys\` (
	\`user_id\` text NOT NULL,
	\`key\` text NOT NULL,
	\`request_hash\` text NOT NULL,
	\`payment_id\` text,
	\`created_at\` integer NOT NULL,
	PRIMARY KEY(\`user_id\`, \`key\`)
);`,
      `CREATE TABLE \`job_leases\` (
	\`name\` text PRIMARY KEY NOT NULL,
	\`lease_until\` integer NOT NULL,
	\`last_run_at\` integer
);`,
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
      `CREATE TABLE \`letters\` (
	\`code\` text PRIMARY KEY NOT NULL,
	\`ref_number\` text NOT NULL,
	\`payment_item_id\` text NOT NULL,
	\`user_id\` text NOT NULL,
	\`certificate_id\` text NOT NULL,
	\`template\` text NOT NULL,
	\`status\` text NOT NULL,
	\`issued_at\` integer NOT NULL,
	\`status_at\` integer NOT NULL,
	FOREIGN KEY (\`payment_item_id\`) REFERENCES \`payment_items\`(\`id\`) ON UPDATE no action ON DELETE no action
);`,
      `CREATE UNIQUE INDEX \`letters_ref_number_unique\` ON \`letters\` (\`ref_number\`);`,
      `CREATE UNIQUE INDEX \`letters_payment_item_id_unique\` ON \`letters\` (\`payment_item_id\`);`,
      `CREATE INDEX \`letters_by_certificate\` ON \`letters\` (\`certificate_id\`);`,
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
	FOREIGN KEY (\`payment_id\`) REFERENCES \`payments\`(\`id\`) ON UPDATE no action ON DELETE no action
);`,
      `CREATE UNIQUE INDEX \`payment_items_one_open\` ON \`payment_items\` (\`user_id\`,\`certificate_number\`) WHERE open = 1;`,
      `CREATE INDEX \`payment_items_by_payment\` ON \`payment_items\` (\`payment_id\`);`,
      `CREATE INDEX \`payment_items_by_user\` ON \`payment_items\` (\`user_id\`,\`created_at\`,\`id\`);`,
      `CREATE INDEX \`payment_items_by_number\` ON \`payment_items\` (\`user_id\`,\`certificate_number\`);`,
      `CREATE TABLE \`payments\` (
	\`id\` text PRIMARY KEY NOT NULL,
	\`transaction_id\` text NOT NULL,
	\`user_id\` text NOT NULL,
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
      `CREATE INDEX \`payments_by_user\` ON \`payments\` (\`user_id\`,\`created_at\`);`,
      `CREATE TABLE \`rate_limits\` (
	\`key\` text NOT NULL,
	\`window_start\` integer NOT NULL,
	\`count\` integer NOT NULL,
	\`expires_at\` integer NOT NULL,
	PRIMARY KEY(\`key\`, \`window_start\`)
);`,
      `CREATE INDEX \`rate_limits_by_expiry\` ON \`rate_limits\` (\`expires_at\`);`,
      `CREATE TABLE \`refunds\` (
	\`id\` text PRIMARY KEY NOT NULL,
	\`payment_id\` text NOT NULL,
	\`amount_minor\` integer NOT NULL,
	\`reason\` text NOT NULL,
	\`status\` text NOT NULL,
	\`idempotency_key\` text NOT NULL,
	\`created_at\` integer NOT NULL,
	\`updated_at\` integer NOT NULL,
	FOREIGN KEY (\`payment_id\`) REFERENCES \`payments\`(\`id\`) ON UPDATE no action ON DELETE no action
);`,
      `CREATE UNIQUE INDEX \`refunds_idempotency_key_unique\` ON \`refunds\` (\`idempotency_key\`);`,
      `CREATE INDEX \`refunds_by_payment\` ON \`refunds\` (\`payment_id\`);`,
      `CREATE INDEX \`refunds_by_status\` ON \`refunds\` (\`status\`);`,
      `CREATE TABLE \`sessions\` (
	\`id\` text PRIMARY KEY NOT NULL,
	\`user_id\` text NOT NULL,
	\`created_at\` integer NOT NULL,
	\`expires_at\` integer NOT NULL,
	FOREIGN KEY (\`user_id\`) REFERENCES \`users\`(\`id\`) ON UPDATE no action ON DELETE cascade
);`,
      `CREATE INDEX \`sessions_by_user\` ON \`sessions\` (\`user_id\`);`,
      `CREATE INDEX \`sessions_by_expiry\` ON \`sessions\` (\`expires_at\`);`,
      `CREATE TABLE \`settings\` (
	\`key\` text PRIMARY KEY NOT NULL,
	\`value\` text NOT NULL,
	\`updated_at\` integer NOT NULL,
	\`updated_by\` text
);`,
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
	CONSTRAINT "users_role" CHECK("users"."role" in ('user', 'admin', 'super_admin'))
);`,
      `CREATE UNIQUE INDEX \`users_email_unique\` ON \`users\` (\`email\`);`,
      `CREATE INDEX \`users_by_creation\` ON \`users\` (\`created_at\`,\`id\`);`,
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
    ],
  },
  {
    name: '0001_notifications',
    statements: [
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
      `CREATE INDEX \`users_staff\` ON \`users\` (\`id\`) WHERE role <> 'user';`,
    ],
  },
  {
    name: '0002_audit_chain',
    statements: [
      `CREATE TABLE \`activity_head\` (
	\`id\` integer PRIMARY KEY NOT NULL,
	\`sealed_id\` integer NOT NULL,
	\`hash\` text NOT NULL
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
      `DROP INDEX \`activity_by_time\`;`,
      `ALTER TABLE \`activity_log\` ADD \`type\` text;`,
      `ALTER TABLE \`activity_log\` ADD \`status\` text;`,
      `ALTER TABLE \`activity_log\` ADD \`salt\` text;`,
      `ALTER TABLE \`activity_log\` ADD \`commitment\` text;`,
      `ALTER TABLE \`activity_log\` ADD \`hash\` text;`,
      `CREATE INDEX \`activity_unsealed\` ON \`activity_log\` (\`id\`) WHERE hash is null;`,
      `CREATE INDEX \`activity_by_time\` ON \`activity_log\` (\`at\`,\`user_id\`,\`type\`,\`status\`);`,
      `CREATE TRIGGER \`activity_log_appends_only\` BEFORE DELETE ON \`activity_log\` BEGIN
	SELECT raise(ABORT, 'the activity log only grows');
END;`,
      `CREATE TRIGGER \`activity_log_stays_sealed\` BEFORE UPDATE OF \`id\`, \`user_id\`, \`activity\`, \`type\`, \`status\`, \`request_id\`, \`at\`, \`commitment\`, \`hash\` ON \`activity_log\` WHEN old.hash is not null BEGIN
	SELECT raise(ABORT, 'this entry of the activity log is sealed');
END;`,
      `CREATE TRIGGER \`activity_log_erases_only\` BEFORE UPDATE OF \`user_email\`, \`details\`, \`ip_address\`, \`salt\` ON \`activity_log\` WHEN old.hash is not null and not (new.user_email is null and new.details = '' and new.ip_address is null and new.salt is null) BEGIN
	SELECT raise(ABORT, 'personal values of a sealed entry can only be erased');
END;`,
      `INSERT INTO \`daily_counters\` (\`day\`, \`users\`, \`certificates\`, \`verifications\`, \`successful\`, \`not_found\`, \`revenue_minor\`)
SELECT \`day\`, sum(\`users\`), sum(\`certificates\`), sum(\`verifications\`), sum(\`successful\`), sum(\`not_found\`), sum(\`revenue\`) FROM (
	SELECT date(\`created_at\` / 1000, 'unixepoch') AS \`day\`, 1 AS \`users\`, 0 AS \`certificates\`, 0 AS \`verifications\`, 0 AS \`successful\`, 0 AS \`not_found\`, 0 AS \`revenue\` FROM \`users\`
	UNION ALL SELECT date(\`uploaded_at\` / 1000, 'unixepoch'), 0, 1, 0, 0, 0, 0 FROM \`certificates\` WHERE \`withdrawn_at\` is null
	UNION ALL SELECT date(\`at\` / 1000, 'unixepoch'), 0, 0, 1, \`outcome\` = 'verified', \`outcome\` = 'not_found', 0 FROM \`fulfilments\` WHERE \`outcome\` <> 'refund_due'
	UNION ALL SELECT date(\`at\` / 1000, 'unixepoch'), 0, 0, 0, 0, 0, -\`amount_minor\` FROM \`ledger_entries\` WHERE \`account\` = 'revenue'
) GROUP BY \`day\`;`,
      `CREATE TRIGGER \`count_user\` AFTER INSERT ON \`users\` BEGIN
	INSERT INTO \`daily_counters\` (\`day\`, \`users\`) VALUES (date(new.created_at / 1000, 'unixepoch'), 1)
	ON CONFLICT (\`day\`) DO UPDATE SET \`users\` = \`users\` + 1;
END;`,
      `CREATE TRIGGER \`uncount_user\` AFTER DELETE ON \`users\` BEGIN
	UPDATE \`daily_counters\` SET \`users\` = \`users\` - 1 WHERE \`day\` = date(old.created_at / 1000, 'unixepoch');
END;`,
      `CREATE TRIGGER \`count_certificate\` AFTER INSERT ON \`certificates\` WHEN new.withdrawn_at is null BEGIN
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
      `CREATE TRIGGER \`count_fulfilment\` AFTER INSERT ON \`fulfilments\` WHEN new.outcome <> 'refund_due' BEGIN
	INSERT INTO \`daily_counters\` (\`day\`, \`verifications\`, \`successful\`, \`not_found\`)
	VALUES (date(new.at / 1000, 'unixepoch'), 1, new.outcome = 'verified', new.outcome = 'not_found')
	ON CONFLICT (\`day\`) DO UPDATE SET \`verifications\` = \`verifications\` + 1, \`successful\` = \`successful\` + excluded.successful, \`not_found\` = \`not_found\` + excluded.not_found;
END;`,
      `CREATE TRIGGER \`count_revenue\` AFTER INSERT ON \`ledger_entries\` WHEN new.account = 'revenue' BEGIN
	INSERT INTO \`daily_counters\` (\`day\`, \`revenue_minor\`) VALUES (date(new.at / 1000, 'unixepoch'), -new.amount_minor)
	ON CONFLICT (\`day\`) DO UPDATE SET \`revenue_minor\` = \`revenue_minor\` + excluded.revenue_minor;
END;`,
    ],
  },
  {
    name: '0003_uploads',
    statements: [
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
	\`filename\` text NOT NULL,
	\`dry_run\` integer NOT NULL,
	\`on_conflict\` text NOT NULL,
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
      `CREATE TABLE \`__new_certificates\` (
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
      `INSERT INTO \`__new_certificates\` (\`id\`, \`certificate_number\`, \`student_name\`, \`matric_number\`, \`course\`, \`graduation_date\`, \`grade\`, \`department\`, \`uploader_email\`, \`uploaded_at\`, \`updated_at\`, \`withdrawn_at\`, \`folded\`)
SELECT \`id\`, \`certificate_number\`, \`student_name\`, \`matric_number\`, \`course\`, \`graduation_date\`, \`grade\`, \`department\`, \`uploader_email\`, \`uploaded_at\`, \`updated_at\`, \`withdrawn_at\`, iif(\`withdrawn_at\` is null, lower(\`certificate_number\` || char(10) || \`student_name\` || char(10) || \`course\`), '') FROM \`certificates\` ORDER BY \`uploaded_at\`, \`id\`;`,
      `UPDATE \`__new_certificates\` SET \`folded\` = replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(\`folded\`, 'à', 'a'), 'á', 'a'), 'ā', 'a'), 'ạ', 'a'), 'ȧ', 'a'), 'ǎ', 'a'), 'â', 'a'), 'À', 'a'), 'Á', 'a'), 'Ā', 'a'), 'Ạ', 'a'), 'Ȧ', 'a');`,
      `UPDATE \`__new_certificates\` SET \`folded\` = replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(\`folded\`, 'Ǎ', 'a'), 'Â', 'a'), 'è', 'e'), 'é', 'e'), 'ē', 'e'), 'ẹ', 'e'), 'ė', 'e'), 'ě', 'e'), 'ê', 'e'), 'È', 'e'), 'É', 'e'), 'Ē', 'e');`,
      `UPDATE \`__new_certificates\` SET \`folded\` = replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(\`folded\`, 'Ẹ', 'e'), 'Ė', 'e'), 'Ě', 'e'), 'Ê', 'e'), 'ì', 'i'), 'í', 'i'), 'ī', 'i'), 'ị', 'i'), 'ǐ', 'i'), 'î', 'i'), 'Ì', 'i'), 'Í', 'i');`,
      `UPDATE \`__new_certificates\` SET \`folded\` = replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(\`folded\`, 'Ī', 'i'), 'Ị', 'i'), 'İ', 'i'), 'Ǐ', 'i'), 'Î', 'i'), 'ò', 'o'), 'ó', 'o'), 'ō', 'o'), 'ọ', 'o'), 'ȯ', 'o'), 'ǒ', 'o'), 'ô', 'o');`,
      `UPDATE \`__new_certificates\` SET \`folded\` = replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(\`folded\`, 'Ò', 'o'), 'Ó', 'o'), 'Ō', 'o'), 'Ọ', 'o'), 'Ȯ', 'o'), 'Ǒ', 'o'), 'Ô', 'o'), 'ù', 'u'), 'ú', 'u'), 'ū', 'u'), 'ụ', 'u'), 'ǔ', 'u');`,
      `UPDATE \`__new_certificates\` SET \`folded\` = replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(\`folded\`, 'û', 'u'), 'Ù', 'u'), 'Ú', 'u'), 'Ū', 'u'), 'Ụ', 'u'), 'Ǔ', 'u'), 'Û', 'u'), 'ǹ', 'n'), 'ń', 'n'), 'ṇ', 'n'), 'ṅ', 'n'), 'ň', 'n');`,
      `UPDATE \`__new_certificates\` SET \`folded\` = replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(\`folded\`, 'Ǹ', 'n'), 'Ń', 'n'), 'Ṇ', 'n'), 'Ṅ', 'n'), 'Ň', 'n'), 'ś', 's'), 'ṣ', 's'), 'ṡ', 's'), 'š', 's'), 'ŝ', 's'), 'Ś', 's'), 'Ṣ', 's');`,
      `UPDATE \`__new_certificates\` SET \`folded\` = replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(\`folded\`, 'Ṡ', 's'), 'Š', 's'), 'Ŝ', 's'), 'ḿ', 'm'), 'ṃ', 'm'), 'ṁ', 'm'), 'Ḿ', 'm'), 'Ṃ', 'm'), 'Ṁ', 'm'), 'ǵ', 'g'), 'ḡ', 'g'), 'ġ', 'g');`,
      `UPDATE \`__new_certificates\` SET \`folded\` = replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(\`folded\`, 'ǧ', 'g'), 'ĝ', 'g'), 'Ǵ', 'g'), 'Ḡ', 'g'), 'Ġ', 'g'), 'Ǧ', 'g'), 'Ĝ', 'g'), char(768), ''), char(769), ''), char(772), ''), char(803), ''), char(775), '');`,
      `UPDATE \`__new_certificates\` SET \`folded\` = replace(replace(\`folded\`, char(780), ''), char(770), '');`,
      `DROP TABLE \`certificates\`;`,
      `ALTER TABLE \`__new_certificates\` RENAME TO \`certificates\`;`,
      `CREATE UNIQUE INDEX \`certificates_id_unique\` ON \`certificates\` (\`id\`);`,
      `CREATE UNIQUE INDEX \`certificates_number\` ON \`certificates\` (\`certificate_number\`) WHERE withdrawn_at is null;`,
      `CREATE INDEX \`certificates_standing\` ON \`certificates\` (\`seq\`) WHERE withdrawn_at is null;`,
      `CREATE TRIGGER \`count_certificate\` AFTER INSERT ON \`certificates\` WHEN new.withdrawn_at is null BEGIN
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
      `CREATE VIRTUAL TABLE \`certificate_search\` USING fts5(\`folded\`, content='certificates', content_rowid='seq', columnsize=0, tokenize='trigram');`,
      `INSERT INTO \`certificate_search\` (\`certificate_search\`) VALUES ('rebuild');`,
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
    ],
  },
  {
    name: '0004_backups',
    statements: [
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
    ],
  },
  {
    name: '0005_reports',
    statements: [
      `ALTER TABLE \`payment_items\` ADD \`result\` text DEFAULT 'pending' NOT NULL;`,
      `ALTER TABLE \`payment_items\` ADD \`result_at\` integer;`,
      `CREATE INDEX \`payment_items_by_result\` ON \`payment_items\` (\`result_at\`,\`id\`,\`result\`);`,
      `CREATE INDEX \`payment_items_by_certificate\` ON \`payment_items\` (\`certificate_number\`);`,
      `CREATE INDEX \`payments_by_time\` ON \`payments\` (\`created_at\`,\`id\`,\`status\`,\`amount_minor\`,\`amount_paid_minor\`);`,
      `CREATE VIEW \`item_results\` AS
SELECT \`item\`.\`id\` AS \`id\`,
	CASE
		WHEN \`payment\`.\`status\` IN ('created', 'pending', 'unknown', 'processing', 'review', 'mismatched') THEN 'pending'
		WHEN \`payment\`.\`status\` IN ('paid', 'refunded') AND \`given\`.\`outcome\` = 'verified' THEN 'success'
		WHEN \`payment\`.\`status\` = 'paid' AND \`given\`.\`outcome\` = 'refund_due' AND EXISTS (
			SELECT 1 FROM \`fulfilments\` AS \`earlier\`
			JOIN \`payments\` AS \`earlier_payment\` ON \`earlier_payment\`.\`id\` = \`earlier\`.\`payment_id\`
			JOIN \`certificates\` AS \`earlier_certificate\` ON \`earlier_certificate\`.\`id\` = \`earlier\`.\`certificate_id\`
			WHERE \`earlier\`.\`user_id\` = \`item\`.\`user_id\` AND \`earlier\`.\`certificate_number\` = \`item\`.\`certificate_number\`
				AND \`earlier\`.\`outcome\` = 'verified' AND \`earlier_payment\`.\`status\` IN ('paid', 'refunded') AND \`earlier\`.\`at\` <= \`given\`.\`at\`
				AND (\`earlier_certificate\`.\`withdrawn_at\` IS NULL OR \`earlier_certificate\`.\`withdrawn_at\` > \`given\`.\`at\`)
		) THEN 'success'
		ELSE 'failed'
	END AS \`result\`,
	coalesce(\`given\`.\`at\`, \`item\`.\`created_at\`) AS \`result_at\`
FROM \`payment_items\` AS \`item\`
JOIN \`payments\` AS \`payment\` ON \`payment\`.\`id\` = \`item\`.\`payment_id\`
LEFT JOIN \`fulfilments\` AS \`given\` ON \`given\`.\`payment_item_id\` = \`item\`.\`id\`;`,
      `UPDATE \`payment_items\` SET (\`result\`, \`result_at\`) = (SELECT \`result\`, \`result_at\` FROM \`item_results\` WHERE \`item_results\`.\`id\` = \`payment_items\`.\`id\`);`,
      `CREATE TRIGGER \`result_of_item\` AFTER INSERT ON \`payment_items\` BEGIN
	UPDATE \`payment_items\` SET (\`result\`, \`result_at\`) = (SELECT \`result\`, \`result_at\` FROM \`item_results\` WHERE \`item_results\`.\`id\` = \`payment_items\`.\`id\`)
	WHERE \`id\` = new.\`id\`;
END;`,
      `CREATE TRIGGER \`result_of_fulfilment\` AFTER INSERT ON \`fulfilments\` BEGIN
	UPDATE \`payment_items\` SET (\`result\`, \`result_at\`) = (SELECT \`result\`, \`result_at\` FROM \`item_results\` WHERE \`item_results\`.\`id\` = \`payment_items\`.\`id\`)
	WHERE \`id\` = new.\`payment_item_id\`;
END;`,
      `CREATE TRIGGER \`result_of_payment\` AFTER UPDATE OF \`status\` ON \`payments\` WHEN old.\`status\` <> new.\`status\` BEGIN
	UPDATE \`payment_items\` SET (\`result\`, \`result_at\`) = (SELECT \`result\`, \`result_at\` FROM \`item_results\` WHERE \`item_results\`.\`id\` = \`payment_items\`.\`id\`)
	WHERE \`payment_id\` = new.\`id\`;
END;`,
      `CREATE TRIGGER \`result_of_second_payment\` AFTER UPDATE OF \`status\` ON \`payments\` WHEN old.\`status\` <> 'reversed' AND new.\`status\` = 'reversed' BEGIN
	UPDATE \`payment_items\` SET (\`result\`, \`result_at\`) = (SELECT \`result\`, \`result_at\` FROM \`item_results\` WHERE \`item_results\`.\`id\` = \`payment_items\`.\`id\`)
	WHERE \`user_id\` = new.\`user_id\` AND \`certificate_number\` IN (SELECT \`certificate_number\` FROM \`payment_items\` WHERE \`payment_id\` = new.\`id\`);
END;`,
    ],
  },
  {
    name: '0006_letter_standing',
    statements: [
      `DROP INDEX \`letters_payment_item_id_unique\`;`,
      `ALTER TABLE \`letters\` ADD \`snapshot\` text;`,
      `ALTER TABLE \`letters\` ADD \`replaced_by\` text;`,
      `ALTER TABLE \`letters\` ADD \`told_status\` text DEFAULT 'valid' NOT NULL;`,
      `ALTER TABLE \`letters\` ADD \`tell_status\` text;`,
      `ALTER TABLE \`letters\` ADD \`checks\` integer DEFAULT 0 NOT NULL;`,
      `ALTER TABLE \`letters\` ADD \`last_checked_at\` integer;`,
      `CREATE UNIQUE INDEX \`letters_one_current\` ON \`letters\` (\`payment_item_id\`) WHERE replaced_by is null;`,
      `CREATE INDEX \`letters_by_item\` ON \`letters\` (\`payment_item_id\`);`,
      `CREATE INDEX \`letters_untold\` ON \`letters\` (\`user_id\`) WHERE tell_status is not null;`,
      `UPDATE \`letters\` SET \`snapshot\` = (SELECT \`snapshot\` FROM \`fulfilments\` WHERE \`fulfilments\`.\`payment_item_id\` = \`letters\`.\`payment_item_id\`);`,
    ],
  },
  {
    name: '0007_refunds_and_reconciliation',
    statements: [
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
      `ALTER TABLE \`refunds\` ADD \`currency\` text DEFAULT 'NGN' NOT NULL;`,
      `ALTER TABLE \`refunds\` ADD \`attempts\` integer DEFAULT 0 NOT NULL;`,
      `ALTER TABLE \`refunds\` ADD \`provider_refund_id\` text;`,
      `ALTER TABLE \`refunds\` ADD \`bank_reference\` text;`,
      `ALTER TABLE \`refunds\` ADD \`note\` text;`,
      `ALTER TABLE \`refunds\` ADD \`approved_by\` text;`,
      `ALTER TABLE \`refunds\` ADD \`approved_at\` integer;`,
      `ALTER TABLE \`refunds\` ADD \`processed_at\` integer;`,
      `ALTER TABLE \`refunds\` ADD \`next_try_at\` integer;`,
      `ALTER TABLE \`refunds\` ADD \`tries\` integer DEFAULT 0 NOT NULL;`,
      `ALTER TABLE \`refunds\` ADD \`lease_until\` integer;`,
      `CREATE INDEX \`refunds_due\` ON \`refunds\` (\`next_try_at\`) WHERE next_try_at is not null;`,
      `CREATE INDEX \`ledger_by_account\` ON \`ledger_entries\` (\`account\`,\`currency\`,\`amount_minor\`);`,
      `CREATE INDEX \`ledger_by_time\` ON \`ledger_entries\` (\`at\`);`,
      `UPDATE \`refunds\` SET \`currency\` = coalesce((SELECT \`currency\` FROM \`ledger_entries\` WHERE \`ledger_entries\`.\`payment_id\` = \`refunds\`.\`payment_id\` AND \`account\` = 'refund_payable' LIMIT 1), 'NGN');`,
      `CREATE TRIGGER \`refunds_within_receipts\` BEFORE INSERT ON \`refunds\`
WHEN NEW.\`amount_minor\` <= 0 OR NEW.\`amount_minor\` + (
	SELECT coalesce(sum(\`amount_minor\`), 0) FROM \`refunds\` WHERE \`payment_id\` = NEW.\`payment_id\` AND \`idempotency_key\` <> NEW.\`idempotency_key\`
) > (
	SELECT coalesce(sum(\`amount_minor\`), 0) FROM \`ledger_entries\` WHERE \`payment_id\` = NEW.\`payment_id\` AND \`account\` = 'gateway_clearing' AND \`amount_minor\` > 0 AND \`currency\` = NEW.\`currency\`
)
BEGIN
	SELECT RAISE(ABORT, 'refunds would exceed what was received');
END;`,
      `CREATE TRIGGER \`refunds_amount_stands\` BEFORE UPDATE OF \`amount_minor\`, \`payment_id\`, \`currency\` ON \`refunds\`
BEGIN
	SELECT RAISE(ABORT, 'the amount of a refund never changes');
END;`,
    ],
  },
  {
    name: '0008_settings_history_and_images',
    statements: [
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
    ],
  },
  {
    name: '0009_ranked_counters',
    statements: [
      `CREATE TABLE \`user_texts\` (
	\`seq\` integer PRIMARY KEY NOT NULL,
	\`user_id\` text NOT NULL,
	\`folded\` text NOT NULL
);`,
      `CREATE UNIQUE INDEX \`user_texts_user_id_unique\` ON \`user_texts\` (\`user_id\`);`,
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
      `CREATE TABLE \`ranked_counters\` (
	\`kind\` text NOT NULL,
	\`unit\` text NOT NULL,
	\`period\` text NOT NULL,
	\`name\` text COLLATE NOCASE NOT NULL,
	\`verifications\` integer DEFAULT 0 NOT NULL,
	\`successful\` integer DEFAULT 0 NOT NULL,
	\`revenue_minor\` integer DEFAULT 0 NOT NULL,
	PRIMARY KEY(\`kind\`, \`unit\`, \`period\`, \`name\`)
);`,
      `CREATE INDEX \`certificates_withdrawn\` ON \`certificates\` (\`withdrawn_at\`) WHERE withdrawn_at is not null;`,
      `CREATE TRIGGER \`rank_course\` AFTER INSERT ON \`fulfilments\` WHEN new.outcome = 'verified' BEGIN
	INSERT INTO \`ranked_counters\` (\`kind\`, \`unit\`, \`period\`, \`name\`, \`verifications\`, \`successful\`)
	SELECT 'course', \`unit\`, substr(date(new.at / 1000, 'unixepoch'), 1, \`length\`), trim(coalesce(json_extract(new.snapshot, '$.course'), '')), 1, 1
	FROM (SELECT 'day' AS \`unit\`, 10 AS \`length\` UNION ALL SELECT 'month', 7 UNION ALL SELECT 'year', 4) WHERE true
	ON CONFLICT (\`kind\`, \`unit\`, \`period\`, \`name\`) DO UPDATE SET \`verifications\` = \`verifications\` + 1, \`successful\` = \`successful\` + 1;
END;`,
      `CREATE TRIGGER \`rank_organisation\` AFTER INSERT ON \`fulfilments\` WHEN new.outcome <> 'refund_due' BEGIN
	INSERT INTO \`ranked_counters\` (\`kind\`, \`unit\`, \`period\`, \`name\`, \`verifications\`, \`successful\`)
	SELECT 'organisation', \`unit\`, substr(date(new.at / 1000, 'unixepoch'), 1, \`length\`), coalesce((SELECT trim(substr(\`address\`, 1, instr(\`address\` || ',', ',') - 1)) FROM \`users\` WHERE \`id\` = new.user_id), ''), 1, new.outcome = 'verified'
	FROM (SELECT 'day' AS \`unit\`, 10 AS \`length\` UNION ALL SELECT 'month', 7 UNION ALL SELECT 'year', 4) WHERE true
	ON CONFLICT (\`kind\`, \`unit\`, \`period\`, \`name\`) DO UPDATE SET \`verifications\` = \`verifications\` + 1, \`successful\` = \`successful\` + excluded.successful;
END;`,
      `CREATE TRIGGER \`rank_revenue\` AFTER INSERT ON \`ledger_entries\` WHEN new.account = 'revenue' BEGIN
	INSERT INTO \`ranked_counters\` (\`kind\`, \`unit\`, \`period\`, \`name\`, \`revenue_minor\`)
	SELECT 'organisation', \`unit\`, substr(date(new.at / 1000, 'unixepoch'), 1, \`length\`), coalesce((SELECT trim(substr(\`address\`, 1, instr(\`address\` || ',', ',') - 1)) FROM \`users\` WHERE \`id\` = (SELECT \`user_id\` FROM \`payments\` WHERE \`id\` = new.payment_id)), ''), -new.amount_minor
	FROM (SELECT 'day' AS \`unit\`, 10 AS \`length\` UNION ALL SELECT 'month', 7 UNION ALL SELECT 'year', 4) WHERE true
	ON CONFLICT (\`kind\`, \`unit\`, \`period\`, \`name\`) DO UPDATE SET \`revenue_minor\` = \`revenue_minor\` + excluded.revenue_minor;
END;`,
      `INSERT INTO \`ranked_counters\` (\`kind\`, \`unit\`, \`period\`, \`name\`, \`verifications\`, \`successful\`, \`revenue_minor\`)
SELECT \`kind\`, \`unit\`, substr(\`day\`, 1, \`length\`), min(\`name\`), sum(\`verifications\`), sum(\`successful\`), sum(\`revenue\`) FROM (
	SELECT 'course' AS \`kind\`, date(\`at\` / 1000, 'unixepoch') AS \`day\`, trim(coalesce(json_extract(\`snapshot\`, '$.course'), '')) AS \`name\`, 1 AS \`verifications\`, 1 AS \`successful\`, 0 AS \`revenue\` FROM \`fulfilments\` WHERE \`outcome\` = 'verified'
	UNION ALL SELECT 'organisation', date(f.\`at\` / 1000, 'unixepoch'), coalesce(trim(substr(u.\`address\`, 1, instr(u.\`address\` || ',', ',') - 1)), ''), 1, f.\`outcome\` = 'verified', 0 FROM \`fulfilments\` f LEFT JOIN \`users\` u ON u.\`id\` = f.\`user_id\` WHERE f.\`outcome\` <> 'refund_due'
	UNION ALL SELECT 'organisation', date(l.\`at\` / 1000, 'unixepoch'), coalesce(trim(substr(u.\`address\`, 1, instr(u.\`address\` || ',', ',') - 1)), ''), 0, 0, -l.\`amount_minor\` FROM \`ledger_entries\` l JOIN \`payments\` p ON p.\`id\` = l.\`payment_id\` LEFT JOIN \`users\` u ON u.\`id\` = p.\`user_id\` WHERE l.\`account\` = 'revenue'
), (SELECT 'day' AS \`unit\`, 10 AS \`length\` UNION ALL SELECT 'month', 7 UNION ALL SELECT 'year', 4)
GROUP BY \`kind\`, \`unit\`, substr(\`day\`, 1, \`length\`), \`name\` COLLATE NOCASE;`,
      `CREATE TRIGGER \`count_activity\` AFTER INSERT ON \`activity_log\` BEGIN
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
      `INSERT INTO \`activity_counters\` (\`unit\`, \`period\`, \`user_id\`, \`type\`, \`status\`, \`total\`)
SELECT \`unit\`, substr(\`day\`, 1, \`length\`), \`user_id\`, \`type\`, \`status\`, sum(\`total\`) FROM (
	SELECT date(\`at\` / 1000, 'unixepoch') AS \`day\`, '' AS \`user_id\`, coalesce(\`type\`, '') AS \`type\`, coalesce(\`status\`, '') AS \`status\`, count(*) AS \`total\` FROM \`activity_log\` GROUP BY 1, 3, 4
	UNION ALL SELECT date(\`at\` / 1000, 'unixepoch'), \`user_id\`, coalesce(\`type\`, ''), coalesce(\`status\`, ''), count(*) FROM \`activity_log\` WHERE \`user_id\` is not null AND \`user_id\` NOT IN (SELECT \`id\` FROM \`users\` WHERE \`role\` = 'user') GROUP BY 1, 2, 3, 4
), (SELECT 'day' AS \`unit\`, 10 AS \`length\` UNION ALL SELECT 'month', 7 UNION ALL SELECT 'year', 4)
GROUP BY 1, 2, 3, 4, 5;`,
      `INSERT INTO \`user_texts\` (\`user_id\`, \`folded\`)
SELECT \`id\`, lower(\`email\` || char(10) || \`firstname\` || ' ' || \`lastname\` || coalesce(char(10) || \`firstname\` || ' ' || \`middlename\` || ' ' || \`lastname\`, '')) FROM \`users\` ORDER BY \`created_at\`, \`id\`;`,
      `UPDATE \`user_texts\` SET \`folded\` = replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(\`folded\`, 'à', 'a'), 'á', 'a'), 'ā', 'a'), 'ạ', 'a'), 'ȧ', 'a'), 'ǎ', 'a'), 'â', 'a'), 'À', 'a'), 'Á', 'a'), 'Ā', 'a'), 'Ạ', 'a'), 'Ȧ', 'a');`,
      `UPDATE \`user_texts\` SET \`folded\` = replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(\`folded\`, 'Ǎ', 'a'), 'Â', 'a'), 'è', 'e'), 'é', 'e'), 'ē', 'e'), 'ẹ', 'e'), 'ė', 'e'), 'ě', 'e'), 'ê', 'e'), 'È', 'e'), 'É', 'e'), 'Ē', 'e');`,
      `UPDATE \`user_texts\` SET \`folded\` = replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(\`folded\`, 'Ẹ', 'e'), 'Ė', 'e'), 'Ě', 'e'), 'Ê', 'e'), 'ì', 'i'), 'í', 'i'), 'ī', 'i'), 'ị', 'i'), 'ǐ', 'i'), 'î', 'i'), 'Ì', 'i'), 'Í', 'i');`,
      `UPDATE \`user_texts\` SET \`folded\` = replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(\`folded\`, 'Ī', 'i'), 'Ị', 'i'), 'İ', 'i'), 'Ǐ', 'i'), 'Î', 'i'), 'ò', 'o'), 'ó', 'o'), 'ō', 'o'), 'ọ', 'o'), 'ȯ', 'o'), 'ǒ', 'o'), 'ô', 'o');`,
      `UPDATE \`user_texts\` SET \`folded\` = replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(\`folded\`, 'Ò', 'o'), 'Ó', 'o'), 'Ō', 'o'), 'Ọ', 'o'), 'Ȯ', 'o'), 'Ǒ', 'o'), 'Ô', 'o'), 'ù', 'u'), 'ú', 'u'), 'ū', 'u'), 'ụ', 'u'), 'ǔ', 'u');`,
      `UPDATE \`user_texts\` SET \`folded\` = replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(\`folded\`, 'û', 'u'), 'Ù', 'u'), 'Ú', 'u'), 'Ū', 'u'), 'Ụ', 'u'), 'Ǔ', 'u'), 'Û', 'u'), 'ǹ', 'n'), 'ń', 'n'), 'ṇ', 'n'), 'ṅ', 'n'), 'ň', 'n');`,
      `UPDATE \`user_texts\` SET \`folded\` = replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(\`folded\`, 'Ǹ', 'n'), 'Ń', 'n'), 'Ṇ', 'n'), 'Ṅ', 'n'), 'Ň', 'n'), 'ś', 's'), 'ṣ', 's'), 'ṡ', 's'), 'š', 's'), 'ŝ', 's'), 'Ś', 's'), 'Ṣ', 's');`,
      `UPDATE \`user_texts\` SET \`folded\` = replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(\`folded\`, 'Ṡ', 's'), 'Š', 's'), 'Ŝ', 's'), 'ḿ', 'm'), 'ṃ', 'm'), 'ṁ', 'm'), 'Ḿ', 'm'), 'Ṃ', 'm'), 'Ṁ', 'm'), 'ǵ', 'g'), 'ḡ', 'g'), 'ġ', 'g');`,
      `UPDATE \`user_texts\` SET \`folded\` = replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(\`folded\`, 'ǧ', 'g'), 'ĝ', 'g'), 'Ǵ', 'g'), 'Ḡ', 'g'), 'Ġ', 'g'), 'Ǧ', 'g'), 'Ĝ', 'g'), char(768), ''), char(769), ''), char(772), ''), char(803), ''), char(775), '');`,
      `UPDATE \`user_texts\` SET \`folded\` = replace(replace(\`folded\`, char(780), ''), char(770), '');`,
      `CREATE VIRTUAL TABLE \`user_search\` USING fts5(\`folded\`, content='user_texts', content_rowid='seq', columnsize=0, tokenize='trigram');`,
      `INSERT INTO \`user_search\` (\`user_search\`) VALUES ('rebuild');`,
      `CREATE TRIGGER \`index_user_text\` AFTER INSERT ON \`user_texts\` BEGIN
	INSERT INTO \`user_search\` (rowid, \`folded\`) VALUES (new.seq, new.folded);
END;`,
      `CREATE TRIGGER \`unindex_user_text\` AFTER DELETE ON \`user_texts\` BEGIN
	INSERT INTO \`user_search\` (\`user_search\`, rowid, \`folded\`) VALUES ('delete', old.seq, old.folded);
END;`,
      `CREATE TRIGGER \`reindex_user_text\` AFTER UPDATE OF \`folded\` ON \`user_texts\` WHEN old.folded <> new.folded BEGIN
	INSERT INTO \`user_search\` (\`user_search\`, rowid, \`folded\`) VALUES ('delete', old.seq, old.folded);
	INSERT INTO \`user_search\` (rowid, \`folded\`) VALUES (new.seq, new.folded);
END;`,
      `CREATE TRIGGER \`write_user_text\` AFTER INSERT ON \`users\` BEGIN
	INSERT INTO \`user_texts\` (\`user_id\`, \`folded\`) VALUES (new.id, lower(new.email || char(10) || new.firstname || ' ' || new.lastname || coalesce(char(10) || new.firstname || ' ' || new.middlename || ' ' || new.lastname, '')));
END;`,
      `CREATE TRIGGER \`rewrite_user_text\` AFTER UPDATE OF \`email\`, \`firstname\`, \`middlename\`, \`lastname\` ON \`users\` WHEN new.email <> old.email OR new.firstname <> old.firstname OR new.middlename is not old.middlename OR new.lastname <> old.lastname BEGIN
	UPDATE \`user_texts\` SET \`folded\` = lower(new.email || char(10) || new.firstname || ' ' || new.lastname || coalesce(char(10) || new.firstname || ' ' || new.middlename || ' ' || new.lastname, '')) WHERE \`user_id\` = new.id;
END;`,
      `CREATE TRIGGER \`erase_user_text\` AFTER DELETE ON \`users\` BEGIN
	DELETE FROM \`user_texts\` WHERE \`user_id\` = old.id;
END;`,
    ],
  },
  {
    name: '0010_indexes_for_retention_and_counts',
    statements: [
      `DROP INDEX \`ledger_by_time\`;`,
      `CREATE INDEX \`ledger_by_time\` ON \`ledger_entries\` (\`at\`,\`account\`,\`currency\`,\`amount_minor\`);`,
      `CREATE INDEX \`mail_tokens_by_expiry\` ON \`mail_tokens\` (\`expires_at\`);`,
      `CREATE INDEX \`users_by_standing\` ON \`users\` (\`role\`,\`is_enabled\`,\`verified_at\`);`,
      `CREATE INDEX \`refunds_by_time\` ON \`refunds\` (\`created_at\`,\`id\`);`,
      `CREATE INDEX \`outbox_delivered\` ON \`outbox\` (\`delivered_at\`) WHERE delivered_at is not null;`,
      `CREATE INDEX \`idempotency_keys_by_time\` ON \`idempotency_keys\` (\`created_at\`);`,
    ],
  },
  {
    name: '0011_letter_keys',
    statements: [
      `CREATE TABLE \`letter_keys\` (
	\`kid\` text PRIMARY KEY NOT NULL,
	\`jwk\` text NOT NULL,
	\`certificate\` text NOT NULL,
	\`created_at\` integer NOT NULL,
	\`revoked_at\` integer
);`,
      `ALTER TABLE \`letters\` ADD \`status_index\` integer;`,
      `CREATE UNIQUE INDEX \`letters_status_index\` ON \`letters\` (\`status_index\`);`,
    ],
  },
  {
    name: '0012_waiting_payments',
    statements: [
      `CREATE INDEX \`payments_waiting\` ON \`payments\` (coalesce(last_requery_at, 0),\`created_at\`) WHERE status in ('created', 'pending', 'unknown', 'processing', 'review', 'expired');`,
    ],
  },
  {
    name: '0013_second_factors',
    statements: [
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
    ],
  },
  {
    name: '0014_write_counter',
    statements: [
      `CREATE TABLE \`write_counter\` (
	\`id\` integer PRIMARY KEY NOT NULL,
	\`writes\` integer NOT NULL
);`,
      `INSERT INTO \`write_counter\` (\`id\`, \`writes\`) VALUES (1, 0);`,
    ],
  },
  {
    name: '0015_erasure',
    statements: [
      `DROP INDEX \`users_by_standing\`;`,
      `ALTER TABLE \`users\` ADD \`erasure_due_at\` integer;`,
      `ALTER TABLE \`users\` ADD \`erased_at\` integer;`,
      `CREATE INDEX \`users_erasure_due\` ON \`users\` (\`erasure_due_at\`) WHERE erasure_due_at is not null;`,
      `CREATE INDEX \`users_by_standing\` ON \`users\` (\`role\`,\`is_enabled\`,\`verified_at\`,\`erased_at\`);`,
      `ALTER TABLE \`letters\` ADD \`holder_name\` text;`,
      `CREATE INDEX \`webhook_inbox_by_reference\` ON \`webhook_inbox\` (\`reference\`);`,
      `CREATE TRIGGER \`uncount_erased_user\` AFTER UPDATE OF \`erased_at\` ON \`users\` WHEN old.erased_at is null AND new.erased_at is not null BEGIN
	UPDATE \`daily_counters\` SET \`users\` = \`users\` - 1 WHERE \`day\` = date(new.created_at / 1000, 'unixepoch');
END;`,
    ],
  },
  {
    name: '0016_front_end_reports',
    statements: [
      `CREATE TABLE \`front_end_reports\` (
	\`day\` text NOT NULL,
	\`remote\` text NOT NULL,
	\`release\` text NOT NULL,
	\`stage\` text NOT NULL,
	\`total\` integer NOT NULL,
	PRIMARY KEY(\`day\`, \`remote\`, \`release\`, \`stage\`)
);`,
    ],
  },
  {
    name: '0017_kept_counts',
    statements: [
      `CREATE TABLE \`account_counters\` (
	\`role\` text NOT NULL,
	\`is_enabled\` integer NOT NULL,
	\`is_verified\` integer NOT NULL,
	\`is_erased\` integer NOT NULL,
	\`total\` integer NOT NULL,
	PRIMARY KEY(\`role\`, \`is_enabled\`, \`is_verified\`, \`is_erased\`)
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
      `DROP INDEX \`users_by_standing\`;`,
      `DROP INDEX \`users_staff\`;`,
      `DROP INDEX \`users_by_creation\`;`,
      `CREATE INDEX \`users_by_role\` ON \`users\` (\`role\`,\`created_at\`,\`id\`,\`is_enabled\`,\`verified_at\`,\`erased_at\`);`,
      `CREATE INDEX \`users_by_creation\` ON \`users\` (\`created_at\`,\`id\`,\`is_enabled\`,\`verified_at\`,\`erased_at\`);`,
      `DROP INDEX \`activity_by_time\`;`,
      `DROP INDEX \`activity_by_user\`;`,
      `CREATE INDEX \`activity_by_type\` ON \`activity_log\` (\`type\`,\`at\`,\`id\`,\`user_id\`);`,
      `CREATE INDEX \`activity_by_time\` ON \`activity_log\` (\`at\`,\`id\`,\`user_id\`);`,
      `CREATE INDEX \`activity_by_user\` ON \`activity_log\` (\`user_id\`,\`at\`,\`id\`,\`type\`,\`status\`);`,
      `DROP INDEX \`ledger_by_account\`;`,
      `DROP INDEX \`ledger_by_time\`;`,
      `CREATE INDEX \`ledger_by_account\` ON \`ledger_entries\` (\`account\`,\`at\`,\`id\`);`,
      `CREATE INDEX \`ledger_by_time\` ON \`ledger_entries\` (\`at\`,\`id\`);`,
      `DROP INDEX \`payment_items_by_result\`;`,
      `ALTER TABLE \`payment_items\` ADD \`tally\` text DEFAULT 'none' NOT NULL;`,
      `CREATE INDEX \`payment_items_by_time\` ON \`payment_items\` (\`result_at\`,\`id\`);`,
      `CREATE INDEX \`payment_items_by_result\` ON \`payment_items\` (\`result\`,\`result_at\`,\`id\`);`,
      `DROP INDEX \`payments_by_user\`;`,
      `DROP INDEX \`payments_by_time\`;`,
      `CREATE INDEX \`payments_by_user\` ON \`payments\` (\`user_id\`,\`created_at\`,\`id\`,\`status\`);`,
      `CREATE INDEX \`payments_by_status\` ON \`payments\` (\`status\`,\`created_at\`,\`id\`);`,
      `CREATE INDEX \`payments_by_time\` ON \`payments\` (\`created_at\`,\`id\`);`,
      `DROP TRIGGER \`result_of_item\`;`,
      `DROP TRIGGER \`result_of_fulfilment\`;`,
      `DROP TRIGGER \`result_of_payment\`;`,
      `DROP TRIGGER \`result_of_second_payment\`;`,
      `DROP VIEW \`item_results\`;`,
      `CREATE VIEW \`item_results\` AS
SELECT \`id\`, \`result_at\`, \`tally\`,
	CASE
		WHEN \`status\` IN ('created', 'pending', 'unknown', 'processing', 'review', 'mismatched') THEN 'pending'
		WHEN \`tally\` IN ('found', 'again') THEN 'success'
		ELSE 'failed'
	END AS \`result\`
FROM (
	SELECT \`item\`.\`id\` AS \`id\`, \`payment\`.\`status\` AS \`status\`, coalesce(\`given\`.\`at\`, \`item\`.\`created_at\`) AS \`result_at\`,
		CASE
			WHEN \`payment\`.\`status\` NOT IN ('paid', 'refunded') OR \`given\`.\`outcome\` IS NULL THEN 'none'
			WHEN \`given\`.\`outcome\` = 'verified' THEN 'found'
			WHEN \`given\`.\`outcome\` = 'not_found' THEN 'not_found'
			WHEN \`payment\`.\`status\` = 'paid' AND EXISTS (
			SELECT 1 FROM \`fulfilments\` AS \`earlier\`
			JOIN \`payments\` AS \`earlier_payment\` ON \`earlier_payment\`.\`id\` = \`earlier\`.\`payment_id\`
			JOIN \`certificates\` AS \`earlier_certificate\` ON \`earlier_certificate\`.\`id\` = \`earlier\`.\`certificate_id\`
			WHERE \`earlier\`.\`user_id\` = \`item\`.\`user_id\` AND \`earlier\`.\`certificate_number\` = \`item\`.\`certificate_number\`
				AND \`earlier\`.\`outcome\` = 'verified' AND \`earlier_payment\`.\`status\` IN ('paid', 'refunded') AND \`earlier\`.\`at\` <= \`given\`.\`at\`
				AND (\`earlier_certificate\`.\`withdrawn_at\` IS NULL OR \`earlier_certificate\`.\`withdrawn_at\` > \`given\`.\`at\`)
		) THEN 'again'
			ELSE 'due'
		END AS \`tally\`
	FROM \`payment_items\` AS \`item\`
	JOIN \`payments\` AS \`payment\` ON \`payment\`.\`id\` = \`item\`.\`payment_id\`
	LEFT JOIN \`fulfilments\` AS \`given\` ON \`given\`.\`payment_item_id\` = \`item\`.\`id\`
);`,
      `UPDATE \`payment_items\` SET \`tally\` = (SELECT \`tally\` FROM \`item_results\` WHERE \`item_results\`.\`id\` = \`payment_items\`.\`id\`);`,
      `CREATE TRIGGER \`result_of_item\` AFTER INSERT ON \`payment_items\` BEGIN
	UPDATE \`payment_items\` SET (\`result\`, \`result_at\`, \`tally\`) = (SELECT \`result\`, \`result_at\`, \`tally\` FROM \`item_results\` WHERE \`item_results\`.\`id\` = \`payment_items\`.\`id\`)
	WHERE \`id\` = new.\`id\`;
END;`,
      `CREATE TRIGGER \`result_of_fulfilment\` AFTER INSERT ON \`fulfilments\` BEGIN
	UPDATE \`payment_items\` SET (\`result\`, \`result_at\`, \`tally\`) = (SELECT \`result\`, \`result_at\`, \`tally\` FROM \`item_results\` WHERE \`item_results\`.\`id\` = \`payment_items\`.\`id\`)
	WHERE \`id\` = new.\`payment_item_id\`;
END;`,
      `CREATE TRIGGER \`result_of_payment\` AFTER UPDATE OF \`status\` ON \`payments\` WHEN old.\`status\` <> new.\`status\` BEGIN
	UPDATE \`payment_items\` SET (\`result\`, \`result_at\`, \`tally\`) = (SELECT \`result\`, \`result_at\`, \`tally\` FROM \`item_results\` WHERE \`item_results\`.\`id\` = \`payment_items\`.\`id\`)
	WHERE \`payment_id\` = new.\`id\`;
END;`,
      `CREATE TRIGGER \`result_of_second_payment\` AFTER UPDATE OF \`status\` ON \`payments\` WHEN old.\`status\` <> 'reversed' AND new.\`status\` = 'reversed' BEGIN
	UPDATE \`payment_items\` SET (\`result\`, \`result_at\`, \`tally\`) = (SELECT \`result\`, \`result_at\`, \`tally\` FROM \`item_results\` WHERE \`item_results\`.\`id\` = \`payment_items\`.\`id\`)
	WHERE \`user_id\` = new.\`user_id\` AND \`certificate_number\` IN (SELECT \`certificate_number\` FROM \`payment_items\` WHERE \`payment_id\` = new.\`id\`);
END;`,
      `INSERT INTO \`item_counters\` (\`day\`, \`result\`, \`total\`)
SELECT date(\`result_at\` / 1000, 'unixepoch'), \`result\`, count(*) FROM \`payment_items\` WHERE \`result_at\` is not null GROUP BY 1, 2;`,
      `CREATE TRIGGER \`count_item\` AFTER UPDATE OF \`result\`, \`result_at\` ON \`payment_items\` WHEN old.\`result\` <> new.\`result\` OR old.\`result_at\` is not new.\`result_at\` BEGIN
	UPDATE \`item_counters\` SET \`total\` = \`total\` - 1 WHERE old.\`result_at\` is not null AND \`day\` = date(old.\`result_at\` / 1000, 'unixepoch') AND \`result\` = old.\`result\`;
	INSERT INTO \`item_counters\` (\`day\`, \`result\`, \`total\`) SELECT date(new.\`result_at\` / 1000, 'unixepoch'), new.\`result\`, 1 WHERE new.\`result_at\` is not null
	ON CONFLICT (\`day\`, \`result\`) DO UPDATE SET \`total\` = \`total\` + 1;
END;`,
      `INSERT INTO \`user_counters\` (\`user_id\`, \`total\`, \`found\`, \`again\`, \`missed\`, \`spent_minor\`)
SELECT \`user_id\`, count(*), sum(\`tally\` = 'found'), sum(\`tally\` = 'again'), sum(\`tally\` IN ('not_found', 'due')), sum((\`tally\` IN ('found', 'not_found')) * \`amount_minor\`) FROM \`payment_items\` GROUP BY \`user_id\`;`,
      `CREATE TRIGGER \`count_item_of_user\` AFTER INSERT ON \`payment_items\` BEGIN
	INSERT INTO \`user_counters\` (\`user_id\`, \`total\`) VALUES (new.\`user_id\`, 1)
	ON CONFLICT (\`user_id\`) DO UPDATE SET \`total\` = \`total\` + 1;
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
      `INSERT INTO \`payment_counters\` (\`day\`, \`status\`, \`total\`, \`due_minor\`, \`paid_minor\`)
SELECT date(\`created_at\` / 1000, 'unixepoch'), \`status\`, count(*), sum(\`amount_minor\`), coalesce(sum(\`amount_paid_minor\`), 0) FROM \`payments\` GROUP BY 1, 2;`,
      `CREATE TRIGGER \`count_payment\` AFTER INSERT ON \`payments\` BEGIN
	INSERT INTO \`payment_counters\` (\`day\`, \`status\`, \`total\`, \`due_minor\`, \`paid_minor\`) VALUES (date(new.\`created_at\` / 1000, 'unixepoch'), new.\`status\`, 1, new.\`amount_minor\`, coalesce(new.\`amount_paid_minor\`, 0))
	ON CONFLICT (\`day\`, \`status\`) DO UPDATE SET \`total\` = \`total\` + 1, \`due_minor\` = \`due_minor\` + excluded.\`due_minor\`, \`paid_minor\` = \`paid_minor\` + excluded.\`paid_minor\`;
END;`,
      `CREATE TRIGGER \`recount_payment\` AFTER UPDATE OF \`status\`, \`created_at\`, \`amount_minor\`, \`amount_paid_minor\` ON \`payments\` WHEN old.\`status\` <> new.\`status\` OR old.\`created_at\` <> new.\`created_at\` OR old.\`amount_minor\` <> new.\`amount_minor\` OR old.\`amount_paid_minor\` is not new.\`amount_paid_minor\` BEGIN
	UPDATE \`payment_counters\` SET \`total\` = \`total\` - 1, \`due_minor\` = \`due_minor\` - old.\`amount_minor\`, \`paid_minor\` = \`paid_minor\` - coalesce(old.\`amount_paid_minor\`, 0) WHERE \`day\` = date(old.\`created_at\` / 1000, 'unixepoch') AND \`status\` = old.\`status\`;
	INSERT INTO \`payment_counters\` (\`day\`, \`status\`, \`total\`, \`due_minor\`, \`paid_minor\`) VALUES (date(new.\`created_at\` / 1000, 'unixepoch'), new.\`status\`, 1, new.\`amount_minor\`, coalesce(new.\`amount_paid_minor\`, 0))
	ON CONFLICT (\`day\`, \`status\`) DO UPDATE SET \`total\` = \`total\` + 1, \`due_minor\` = \`due_minor\` + excluded.\`due_minor\`, \`paid_minor\` = \`paid_minor\` + excluded.\`paid_minor\`;
END;`,
      `INSERT INTO \`ledger_counters\` (\`day\`, \`account\`, \`currency\`, \`entries\`, \`minor\`)
SELECT date(\`at\` / 1000, 'unixepoch'), \`account\`, \`currency\`, count(*), sum(\`amount_minor\`) FROM \`ledger_entries\` GROUP BY 1, 2, 3;`,
      `CREATE TRIGGER \`count_ledger_entry\` AFTER INSERT ON \`ledger_entries\` BEGIN
	INSERT INTO \`ledger_counters\` (\`day\`, \`account\`, \`currency\`, \`entries\`, \`minor\`) VALUES (date(new.\`at\` / 1000, 'unixepoch'), new.\`account\`, new.\`currency\`, 1, new.\`amount_minor\`)
	ON CONFLICT (\`day\`, \`account\`, \`currency\`) DO UPDATE SET \`entries\` = \`entries\` + 1, \`minor\` = \`minor\` + excluded.\`minor\`;
END;`,
      `INSERT INTO \`account_counters\` (\`role\`, \`is_enabled\`, \`is_verified\`, \`is_erased\`, \`total\`)
SELECT \`role\`, \`is_enabled\`, \`verified_at\` is not null, \`erased_at\` is not null, count(*) FROM \`users\` GROUP BY 1, 2, 3, 4;`,
      `CREATE TRIGGER \`count_account\` AFTER INSERT ON \`users\` BEGIN
	INSERT INTO \`account_counters\` (\`role\`, \`is_enabled\`, \`is_verified\`, \`is_erased\`, \`total\`) VALUES (new.\`role\`, new.\`is_enabled\`, new.\`verified_at\` is not null, new.\`erased_at\` is not null, 1)
	ON CONFLICT (\`role\`, \`is_enabled\`, \`is_verified\`, \`is_erased\`) DO UPDATE SET \`total\` = \`total\` + 1;
END;`,
      `CREATE TRIGGER \`uncount_account\` AFTER DELETE ON \`users\` BEGIN
	UPDATE \`account_counters\` SET \`total\` = \`total\` - 1 WHERE \`role\` = old.\`role\` AND \`is_enabled\` = old.\`is_enabled\` AND \`is_verified\` = (old.\`verified_at\` is not null) AND \`is_erased\` = (old.\`erased_at\` is not null);
END;`,
      `CREATE TRIGGER \`recount_account\` AFTER UPDATE OF \`role\`, \`is_enabled\`, \`verified_at\`, \`erased_at\` ON \`users\` BEGIN
	UPDATE \`account_counters\` SET \`total\` = \`total\` - 1 WHERE \`role\` = old.\`role\` AND \`is_enabled\` = old.\`is_enabled\` AND \`is_verified\` = (old.\`verified_at\` is not null) AND \`is_erased\` = (old.\`erased_at\` is not null);
	INSERT INTO \`account_counters\` (\`role\`, \`is_enabled\`, \`is_verified\`, \`is_erased\`, \`total\`) VALUES (new.\`role\`, new.\`is_enabled\`, new.\`verified_at\` is not null, new.\`erased_at\` is not null, 1)
	ON CONFLICT (\`role\`, \`is_enabled\`, \`is_verified\`, \`is_erased\`) DO UPDATE SET \`total\` = \`total\` + 1;
END;`,
      `INSERT INTO \`certificate_blocks\` (\`block\`, \`standing\`)
SELECT \`seq\` / 4096, count(*) FROM \`certificates\` WHERE \`withdrawn_at\` is null GROUP BY 1;`,
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
      `CREATE TABLE \`ranked_before\` AS SELECT * FROM \`ranked_counters\`;`,
      `DROP TRIGGER \`rank_course\`;`,
      `DROP TRIGGER \`rank_organisation\`;`,
      `DROP TRIGGER \`rank_revenue\`;`,
      `DROP TABLE \`ranked_counters\`;`,
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
      `INSERT INTO \`ranked_counters\` SELECT \`kind\`, \`unit\`, \`period\`, \`name\`, \`verifications\`, \`successful\`, \`revenue_minor\` FROM \`ranked_before\`
UNION ALL SELECT \`kind\`, 'all', '', min(\`name\`), sum(\`verifications\`), sum(\`successful\`), sum(\`revenue_minor\`) FROM \`ranked_before\` WHERE \`unit\` = 'year' GROUP BY \`kind\`, \`name\` COLLATE NOCASE;`,
      `DROP TABLE \`ranked_before\`;`,
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
      `CREATE VIRTUAL TABLE \`activity_search\` USING fts5(\`activity\`, \`details\`, \`user_email\`, content='activity_log', content_rowid='id', columnsize=0, prefix='2', tokenize='unicode61 remove_diacritics 2');`,
      `INSERT INTO \`activity_search\` (\`activity_search\`) VALUES ('rebuild');`,
      `CREATE TRIGGER \`index_activity\` AFTER INSERT ON \`activity_log\` BEGIN
	INSERT INTO \`activity_search\` (rowid, \`activity\`, \`details\`, \`user_email\`) VALUES (new.\`id\`, new.\`activity\`, new.\`details\`, new.\`user_email\`);
END;`,
      `CREATE TRIGGER \`reindex_activity\` AFTER UPDATE OF \`user_email\`, \`details\` ON \`activity_log\` WHEN old.\`user_email\` is not new.\`user_email\` OR old.\`details\` <> new.\`details\` BEGIN
	INSERT INTO \`activity_search\` (\`activity_search\`, rowid, \`activity\`, \`details\`, \`user_email\`) VALUES ('delete', old.\`id\`, old.\`activity\`, old.\`details\`, old.\`user_email\`);
	INSERT INTO \`activity_search\` (rowid, \`activity\`, \`details\`, \`user_email\`) VALUES (new.\`id\`, new.\`activity\`, new.\`details\`, new.\`user_email\`);
END;`,
      `CREATE VIRTUAL TABLE \`user_word_search\` USING fts5(\`folded\`, content='user_texts', content_rowid='seq', columnsize=0, detail='none', prefix='1 2', tokenize='unicode61');`,
      `INSERT INTO \`user_word_search\` (\`user_word_search\`) VALUES ('rebuild');`,
      `DROP TRIGGER \`index_user_text\`;`,
      `DROP TRIGGER \`unindex_user_text\`;`,
      `DROP TRIGGER \`reindex_user_text\`;`,
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
    ],
  },
  {
    name: '0018_payments_at_gateway',
    statements: [
      `CREATE INDEX \`payments_at_gateway\` ON \`payments\` (\`created_at\`) WHERE provider <> 'demo' and amount_minor > 0;`,
    ],
  },
  {
    name: '0019_account_days',
    statements: [
      `DROP TRIGGER \`count_account\`;`,
      `DROP TRIGGER \`uncount_account\`;`,
      `DROP TRIGGER \`recount_account\`;`,
      `DROP TABLE \`account_counters\`;`,
      `CREATE TABLE \`account_counters\` (
	\`day\` text NOT NULL,
	\`role\` text NOT NULL,
	\`is_enabled\` integer NOT NULL,
	\`is_verified\` integer NOT NULL,
	\`total\` integer NOT NULL,
	PRIMARY KEY(\`day\`, \`role\`, \`is_enabled\`, \`is_verified\`)
) WITHOUT ROWID;`,
      `INSERT INTO \`account_counters\` (\`day\`, \`role\`, \`is_enabled\`, \`is_verified\`, \`total\`)
SELECT date(\`created_at\` / 1000, 'unixepoch'), \`role\`, \`is_enabled\`, \`verified_at\` is not null, count(*) FROM \`users\` WHERE \`erased_at\` is null GROUP BY 1, 2, 3, 4;`,
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
    ],
  },
  {
    name: '0020_bank_account',
    statements: [
      `CREATE INDEX \`refunds_by_bank_reference\` ON \`refunds\` (upper(bank_reference)) WHERE bank_reference is not null;`,
      `DROP TRIGGER \`refunds_within_receipts\`;`,
      `CREATE TRIGGER \`refunds_within_receipts\` BEFORE INSERT ON \`refunds\`
WHEN NEW.\`amount_minor\` <= 0 OR NEW.\`amount_minor\` + (
	SELECT coalesce(sum(\`amount_minor\`), 0) FROM \`refunds\` WHERE \`payment_id\` = NEW.\`payment_id\` AND \`idempotency_key\` <> NEW.\`idempotency_key\`
) > (
	SELECT coalesce(sum(\`amount_minor\`), 0) FROM \`ledger_entries\` WHERE \`payment_id\` = NEW.\`payment_id\` AND \`account\` = 'gateway_clearing' AND \`amount_minor\` > 0 AND \`reason\` IN ('payment received', 'reversal_undone') AND \`currency\` = NEW.\`currency\`
)
BEGIN
	SELECT RAISE(ABORT, 'refunds would exceed what was received');
END;`,
      `-- Entries are never rewritten: what the bank paid back was booked as though the gateway had, and is moved by two more.
-- Where the gateway took the payment back as well, nothing is left with it: the payer has had the money twice.
INSERT INTO \`ledger_entries\` (\`payment_id\`, \`account\`, \`amount_minor\`, \`currency\`, \`reason\`, \`at\`)
SELECT r.\`payment_id\`, CASE side.\`name\` WHEN 'bank' THEN 'bank' ELSE
	CASE WHEN EXISTS (SELECT 1 FROM \`payment_events\` e WHERE e.\`payment_id\` = r.\`payment_id\` AND e.\`type\` = 'reversed') THEN 'refund_payable' ELSE 'gateway_clearing' END
END, CASE side.\`name\` WHEN 'bank' THEN -r.\`amount_minor\` ELSE r.\`amount_minor\` END, r.\`currency\`, 'refund by bank', CAST(strftime('%s', 'now') AS INTEGER) * 1000
FROM \`refunds\` r CROSS JOIN (SELECT 'bank' AS \`name\` UNION ALL SELECT 'other') side
WHERE r.\`status\` = 'processed' AND r.\`bank_reference\` IS NOT NULL
ORDER BY r.\`id\`, side.\`name\`;`,
      `-- Refunds of payments that the gateway took back can be approved again once the money came again; these are over.
UPDATE \`refunds\` SET \`status\` = 'processed', \`processed_at\` = \`updated_at\`, \`note\` = 'The gateway took the payment back itself: nothing is owed.'
WHERE \`status\` IN ('due', 'failed', 'needs_attention') AND \`payment_id\` IN (SELECT \`id\` FROM \`payments\` WHERE \`status\` = 'reversed');`,
    ],
  },
  {
    name: '0021_activity_addresses',
    statements: [
      `ALTER TABLE \`uploads\` ADD \`ip_address\` text;`,
      `ALTER TABLE \`payments\` ADD \`ip_address\` text;`,
      `ALTER TABLE \`reconciliations\` ADD \`ip_address\` text;`,
    ],
  },
  {
    name: '0022_deferrals',
    statements: [
      `CREATE TABLE \`deferrals\` (
	\`queue\` text NOT NULL,
	\`item\` text NOT NULL,
	\`reason\` text NOT NULL,
	\`attempts\` integer NOT NULL,
	\`since\` integer NOT NULL,
	\`next_at\` integer NOT NULL,
	PRIMARY KEY(\`queue\`, \`item\`)
);`,
    ],
  },
  {
    name: '0023_upload_columns',
    statements: [
      `ALTER TABLE \`uploads\` ADD \`date_order\` text;`,
      `ALTER TABLE \`uploads\` ADD \`recognised_columns\` text;`,
      `ALTER TABLE \`uploads\` ADD \`ignored_columns\` text;`,
    ],
  },
  {
    name: '0024_letter_authorities',
    statements: [
      `CREATE TABLE \`letter_authorities\` (
	\`kid\` text PRIMARY KEY NOT NULL,
	\`certificate\` text NOT NULL,
	\`sealed_key\` text NOT NULL,
	\`created_at\` integer NOT NULL,
	\`retired_at\` integer
);`,
    ],
  },
  {
    name: '0025_kept_pointers',
    statements: [
      `CREATE TABLE \`kept_pointers\` (
	\`id\` integer PRIMARY KEY NOT NULL,
	\`content\` text NOT NULL,
	\`at\` integer NOT NULL
);`,
    ],
  },
]
