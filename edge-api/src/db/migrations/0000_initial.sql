CREATE TABLE `activity_log` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`user_id` text,
	`user_email` text,
	`activity` text NOT NULL,
	`details` text DEFAULT '' NOT NULL,
	`ip_address` text,
	`request_id` text,
	`at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `activity_by_time` ON `activity_log` (`at`);--> statement-breakpoint
CREATE INDEX `activity_by_user` ON `activity_log` (`user_id`,`at`);--> statement-breakpoint
CREATE TABLE `certificates` (
	`id` text PRIMARY KEY NOT NULL,
	`certificate_number` text NOT NULL,
	`student_name` text NOT NULL,
	`matric_number` text,
	`course` text NOT NULL,
	`graduation_date` text NOT NULL,
	`grade` text NOT NULL,
	`department` text NOT NULL,
	`uploader_email` text,
	`uploaded_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`withdrawn_at` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `certificates_number` ON `certificates` (`certificate_number`) WHERE withdrawn_at is null;--> statement-breakpoint
CREATE INDEX `certificates_by_upload` ON `certificates` (`uploaded_at`,`id`);--> statement-breakpoint
CREATE TABLE `fulfilments` (
	`payment_item_id` text PRIMARY KEY NOT NULL,
	`payment_id` text NOT NULL,
	`user_id` text NOT NULL,
	`certificate_number` text NOT NULL,
	`outcome` text NOT NULL,
	`certificate_id` text,
	`snapshot` text,
	`at` integer NOT NULL,
	FOREIGN KEY (`payment_item_id`) REFERENCES `payment_items`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `fulfilments_by_user_number` ON `fulfilments` (`user_id`,`certificate_number`,`outcome`);--> statement-breakpoint
CREATE INDEX `fulfilments_by_certificate` ON `fulfilments` (`certificate_id`);--> statement-breakpoint
CREATE TABLE `idempotency_keys` (
	`user_id` text NOT NULL,
	`key` text NOT NULL,
	`request_hash` text NOT NULL,
	`payment_id` text,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`user_id`, `key`)
);
--> statement-breakpoint
CREATE TABLE `job_leases` (
	`name` text PRIMARY KEY NOT NULL,
	`lease_until` integer NOT NULL,
	`last_run_at` integer
);
--> statement-breakpoint
CREATE TABLE `ledger_entries` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`payment_id` text NOT NULL,
	`account` text NOT NULL,
	`amount_minor` integer NOT NULL,
	`currency` text NOT NULL,
	`reason` text NOT NULL,
	`at` integer NOT NULL,
	FOREIGN KEY (`payment_id`) REFERENCES `payments`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `ledger_by_payment` ON `ledger_entries` (`payment_id`);--> statement-breakpoint
CREATE TABLE `letters` (
	`code` text PRIMARY KEY NOT NULL,
	`ref_number` text NOT NULL,
	`payment_item_id` text NOT NULL,
	`user_id` text NOT NULL,
	`certificate_id` text NOT NULL,
	`template` text NOT NULL,
	`status` text NOT NULL,
	`issued_at` integer NOT NULL,
	`status_at` integer NOT NULL,
	FOREIGN KEY (`payment_item_id`) REFERENCES `payment_items`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `letters_ref_number_unique` ON `letters` (`ref_number`);--> statement-breakpoint
CREATE UNIQUE INDEX `letters_payment_item_id_unique` ON `letters` (`payment_item_id`);--> statement-breakpoint
CREATE INDEX `letters_by_certificate` ON `letters` (`certificate_id`);--> statement-breakpoint
CREATE TABLE `mail_tokens` (
	`hash` text PRIMARY KEY NOT NULL,
	`purpose` text NOT NULL,
	`user_id` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`used_at` integer,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `mail_tokens_by_user` ON `mail_tokens` (`user_id`,`purpose`);--> statement-breakpoint
CREATE TABLE `outbox` (
	`id` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`sealed` text,
	`dedupe_key` text,
	`attempts` integer DEFAULT 0 NOT NULL,
	`next_attempt_at` integer,
	`lease_until` integer,
	`created_at` integer NOT NULL,
	`delivered_at` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `outbox_dedupe_key_unique` ON `outbox` (`dedupe_key`);--> statement-breakpoint
CREATE INDEX `outbox_due` ON `outbox` (`next_attempt_at`) WHERE next_attempt_at is not null;--> statement-breakpoint
CREATE TABLE `payment_events` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`payment_id` text NOT NULL,
	`type` text NOT NULL,
	`provider_txn_id` text,
	`from_status` text,
	`to_status` text,
	`source` text NOT NULL,
	`actor_id` text,
	`amount_minor` integer,
	`code` text,
	`raw_hash` text,
	`at` integer NOT NULL,
	FOREIGN KEY (`payment_id`) REFERENCES `payments`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `payment_events_once` ON `payment_events` (`payment_id`,`type`,coalesce(provider_txn_id, ''));--> statement-breakpoint
CREATE TABLE `payment_items` (
	`id` text PRIMARY KEY NOT NULL,
	`payment_id` text NOT NULL,
	`user_id` text NOT NULL,
	`certificate_number` text NOT NULL,
	`amount_minor` integer NOT NULL,
	`created_at` integer NOT NULL,
	`open` integer NOT NULL,
	FOREIGN KEY (`payment_id`) REFERENCES `payments`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `payment_items_one_open` ON `payment_items` (`user_id`,`certificate_number`) WHERE open = 1;--> statement-breakpoint
CREATE INDEX `payment_items_by_payment` ON `payment_items` (`payment_id`);--> statement-breakpoint
CREATE INDEX `payment_items_by_user` ON `payment_items` (`user_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `payment_items_by_number` ON `payment_items` (`user_id`,`certificate_number`);--> statement-breakpoint
CREATE TABLE `payments` (
	`id` text PRIMARY KEY NOT NULL,
	`transaction_id` text NOT NULL,
	`user_id` text NOT NULL,
	`provider` text NOT NULL,
	`provider_reference` text NOT NULL,
	`provider_txn_id` text,
	`mode` text NOT NULL,
	`amount_minor` integer NOT NULL,
	`currency` text NOT NULL,
	`amount_paid_minor` integer,
	`status` text NOT NULL,
	`resolution` text,
	`decline_code` text,
	`gateway_status` text,
	`payment_url` text,
	`payment_fields` text,
	`unknown_policy` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`paid_at` integer,
	`expires_at` integer NOT NULL,
	`requeries` integer DEFAULT 0 NOT NULL,
	`last_requery_at` integer,
	`next_requery_at` integer,
	`not_found_answers` integer DEFAULT 0 NOT NULL,
	`lease_until` integer,
	`version` integer DEFAULT 0 NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "payments_status" CHECK("payments"."status" in ('created', 'pending', 'unknown', 'processing', 'paid', 'mismatched', 'failed', 'cancelled', 'expired', 'review', 'refunded', 'reversed')),
	CONSTRAINT "payments_amount" CHECK("payments"."amount_minor" >= 0)
);
--> statement-breakpoint
CREATE UNIQUE INDEX `payments_transaction_id_unique` ON `payments` (`transaction_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `payments_provider_reference_unique` ON `payments` (`provider_reference`);--> statement-breakpoint
CREATE UNIQUE INDEX `payments_provider_txn` ON `payments` (`provider`,`provider_txn_id`);--> statement-breakpoint
CREATE INDEX `payments_due` ON `payments` (`next_requery_at`) WHERE next_requery_at is not null;--> statement-breakpoint
CREATE INDEX `payments_by_user` ON `payments` (`user_id`,`created_at`);--> statement-breakpoint
CREATE TABLE `rate_limits` (
	`key` text NOT NULL,
	`window_start` integer NOT NULL,
	`count` integer NOT NULL,
	`expires_at` integer NOT NULL,
	PRIMARY KEY(`key`, `window_start`)
);
--> statement-breakpoint
CREATE INDEX `rate_limits_by_expiry` ON `rate_limits` (`expires_at`);--> statement-breakpoint
CREATE TABLE `refunds` (
	`id` text PRIMARY KEY NOT NULL,
	`payment_id` text NOT NULL,
	`amount_minor` integer NOT NULL,
	`reason` text NOT NULL,
	`status` text NOT NULL,
	`idempotency_key` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`payment_id`) REFERENCES `payments`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `refunds_idempotency_key_unique` ON `refunds` (`idempotency_key`);--> statement-breakpoint
CREATE INDEX `refunds_by_payment` ON `refunds` (`payment_id`);--> statement-breakpoint
CREATE INDEX `refunds_by_status` ON `refunds` (`status`);--> statement-breakpoint
CREATE TABLE `sessions` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `sessions_by_user` ON `sessions` (`user_id`);--> statement-breakpoint
CREATE INDEX `sessions_by_expiry` ON `sessions` (`expires_at`);--> statement-breakpoint
CREATE TABLE `settings` (
	`key` text PRIMARY KEY NOT NULL,
	`value` text NOT NULL,
	`updated_at` integer NOT NULL,
	`updated_by` text
);
--> statement-breakpoint
CREATE TABLE `users` (
	`id` text PRIMARY KEY NOT NULL,
	`email` text NOT NULL,
	`firstname` text NOT NULL,
	`middlename` text,
	`lastname` text NOT NULL,
	`phone` text DEFAULT '' NOT NULL,
	`address` text DEFAULT '' NOT NULL,
	`password_hash` text NOT NULL,
	`role` text NOT NULL,
	`is_enabled` integer NOT NULL,
	`verified_at` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	CONSTRAINT "users_role" CHECK("users"."role" in ('user', 'admin', 'super_admin'))
);
--> statement-breakpoint
CREATE UNIQUE INDEX `users_email_unique` ON `users` (`email`);--> statement-breakpoint
CREATE INDEX `users_by_creation` ON `users` (`created_at`,`id`);--> statement-breakpoint
CREATE TABLE `webhook_inbox` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`provider` text NOT NULL,
	`event_key` text NOT NULL,
	`reference` text,
	`raw` text NOT NULL,
	`verified` integer NOT NULL,
	`attempts` integer DEFAULT 0 NOT NULL,
	`received_at` integer NOT NULL,
	`processed_at` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `webhook_inbox_once` ON `webhook_inbox` (`provider`,`event_key`);--> statement-breakpoint
CREATE INDEX `webhook_inbox_due` ON `webhook_inbox` (`received_at`) WHERE processed_at is null;