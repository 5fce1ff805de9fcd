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
CREATE INDEX `mail_tokens_by_expiry` ON `mail_tokens` (`expires_at`);--> statement-breakpoint
CREATE TABLE `notifications` (
	`seq` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`id` text NOT NULL,
	`user_id` text NOT NULL,
	`kind` text NOT NULL,
	`title` text NOT NULL,
	`body` text NOT NULL,
	`link` text,
	`created_at` integer NOT NULL,
	`read_at` integer,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `notifications_id_unique` ON `notifications` (`id`);--> statement-breakpoint
CREATE INDEX `notifications_by_user` ON `notifications` (`user_id`,`seq`);--> statement-breakpoint
CREATE INDEX `notifications_unread` ON `notifications` (`user_id`) WHERE read_at is null;--> statement-breakpoint
CREATE TABLE `rate_limits` (
	`key` text NOT NULL,
	`window_start` integer NOT NULL,
	`count` integer NOT NULL,
	`expires_at` integer NOT NULL,
	PRIMARY KEY(`key`, `window_start`)
);
--> statement-breakpoint
CREATE INDEX `rate_limits_by_expiry` ON `rate_limits` (`expires_at`);--> statement-breakpoint
CREATE TABLE `recovery_codes` (
	`hash` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`used_at` integer,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `recovery_codes_by_user` ON `recovery_codes` (`user_id`);--> statement-breakpoint
CREATE TABLE `second_factors` (
	`user_id` text PRIMARY KEY NOT NULL,
	`sealed_secret` text NOT NULL,
	`created_at` integer NOT NULL,
	`confirmed_at` integer,
	`last_step` integer DEFAULT 0 NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
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
CREATE TABLE `user_texts` (
	`seq` integer PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`folded` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `user_texts_user_id_unique` ON `user_texts` (`user_id`);--> statement-breakpoint
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
	`erasure_due_at` integer,
	`erased_at` integer,
	CONSTRAINT "users_role" CHECK("users"."role" in ('user', 'admin', 'super_admin'))
);
--> statement-breakpoint
CREATE UNIQUE INDEX `users_email_unique` ON `users` (`email`);--> statement-breakpoint
CREATE INDEX `users_by_creation` ON `users` (`created_at`,`id`,`is_enabled`,`verified_at`,`erased_at`);--> statement-breakpoint
CREATE INDEX `users_by_role` ON `users` (`role`,`created_at`,`id`,`is_enabled`,`verified_at`,`erased_at`);--> statement-breakpoint
CREATE INDEX `users_erasure_due` ON `users` (`erasure_due_at`) WHERE erasure_due_at is not null;--> statement-breakpoint
CREATE TABLE `activity_counters` (
	`unit` text NOT NULL,
	`period` text NOT NULL,
	`user_id` text NOT NULL,
	`type` text NOT NULL,
	`status` text NOT NULL,
	`total` integer NOT NULL,
	PRIMARY KEY(`unit`, `period`, `user_id`, `type`, `status`)
);
--> statement-breakpoint
CREATE INDEX `activity_counters_by_user` ON `activity_counters` (`user_id`);--> statement-breakpoint
CREATE TABLE `activity_head` (
	`id` integer PRIMARY KEY NOT NULL,
	`sealed_id` integer NOT NULL,
	`hash` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `activity_log` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`user_id` text,
	`user_email` text,
	`activity` text NOT NULL,
	`type` text,
	`status` text,
	`details` text DEFAULT '' NOT NULL,
	`ip_address` text,
	`request_id` text,
	`at` integer NOT NULL,
	`salt` text,
	`commitment` text,
	`hash` text
);
--> statement-breakpoint
CREATE INDEX `activity_by_time` ON `activity_log` (`at`,`id`,`user_id`);--> statement-breakpoint
CREATE INDEX `activity_by_type` ON `activity_log` (`type`,`at`,`id`,`user_id`);--> statement-breakpoint
CREATE INDEX `activity_by_user` ON `activity_log` (`user_id`,`at`,`id`,`type`,`status`);--> statement-breakpoint
CREATE INDEX `activity_unsealed` ON `activity_log` (`id`) WHERE hash is null;--> statement-breakpoint
CREATE TABLE `certificates` (
	`seq` integer PRIMARY KEY NOT NULL,
	`id` text NOT NULL,
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
	`withdrawn_at` integer,
	`folded` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `certificates_id_unique` ON `certificates` (`id`);--> statement-breakpoint
CREATE UNIQUE INDEX `certificates_number` ON `certificates` (`certificate_number`) WHERE withdrawn_at is null;--> statement-breakpoint
CREATE INDEX `certificates_standing` ON `certificates` (`seq`) WHERE withdrawn_at is null;--> statement-breakpoint
CREATE INDEX `certificates_withdrawn` ON `certificates` (`withdrawn_at`) WHERE withdrawn_at is not null;--> statement-breakpoint
CREATE TABLE `upload_reports` (
	`upload_seq` integer NOT NULL,
	`last_id` integer NOT NULL,
	`rows` text NOT NULL,
	PRIMARY KEY(`upload_seq`, `last_id`)
);
--> statement-breakpoint
CREATE TABLE `upload_rows` (
	`id` integer PRIMARY KEY NOT NULL,
	`line` integer NOT NULL,
	`certificate_number` text NOT NULL,
	`student_name` text NOT NULL,
	`matric_number` text,
	`course` text NOT NULL,
	`graduation_date` text NOT NULL,
	`grade` text NOT NULL,
	`department` text NOT NULL,
	`folded` text,
	`first_id` integer,
	`outcome` text,
	`changes` text,
	`error` text
);
--> statement-breakpoint
CREATE TABLE `uploads` (
	`seq` integer PRIMARY KEY NOT NULL,
	`id` text NOT NULL,
	`uploader_id` text NOT NULL,
	`uploader_email` text NOT NULL,
	`ip_address` text,
	`filename` text NOT NULL,
	`dry_run` integer NOT NULL,
	`on_conflict` text NOT NULL,
	`date_order` text,
	`recognised_columns` text,
	`ignored_columns` text,
	`state` text NOT NULL,
	`total` integer,
	`processed` integer DEFAULT 0 NOT NULL,
	`created` integer DEFAULT 0 NOT NULL,
	`updated` integer DEFAULT 0 NOT NULL,
	`unchanged` integer DEFAULT 0 NOT NULL,
	`failed` integer DEFAULT 0 NOT NULL,
	`error` text,
	`cancel_requested` integer DEFAULT false NOT NULL,
	`lease_until` integer,
	`untidy` integer DEFAULT true NOT NULL,
	`created_at` integer NOT NULL,
	`finished_at` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `uploads_id_unique` ON `uploads` (`id`);--> statement-breakpoint
CREATE INDEX `uploads_open` ON `uploads` (`lease_until`) WHERE untidy;--> statement-breakpoint
CREATE TABLE `account_counters` (
	`day` text NOT NULL,
	`role` text NOT NULL,
	`is_enabled` integer NOT NULL,
	`is_verified` integer NOT NULL,
	`total` integer NOT NULL,
	PRIMARY KEY(`day`, `role`, `is_enabled`, `is_verified`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `certificate_blocks` (
	`block` integer PRIMARY KEY NOT NULL,
	`standing` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `item_counters` (
	`day` text NOT NULL,
	`result` text NOT NULL,
	`total` integer NOT NULL,
	PRIMARY KEY(`day`, `result`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `ledger_counters` (
	`day` text NOT NULL,
	`account` text NOT NULL,
	`currency` text NOT NULL,
	`entries` integer NOT NULL,
	`minor` integer NOT NULL,
	PRIMARY KEY(`day`, `account`, `currency`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `payment_counters` (
	`day` text NOT NULL,
	`status` text NOT NULL,
	`total` integer NOT NULL,
	`due_minor` integer NOT NULL,
	`paid_minor` integer NOT NULL,
	PRIMARY KEY(`day`, `status`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `user_counters` (
	`user_id` text PRIMARY KEY NOT NULL,
	`total` integer DEFAULT 0 NOT NULL,
	`found` integer DEFAULT 0 NOT NULL,
	`again` integer DEFAULT 0 NOT NULL,
	`missed` integer DEFAULT 0 NOT NULL,
	`spent_minor` integer DEFAULT 0 NOT NULL
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `front_end_reports` (
	`day` text NOT NULL,
	`remote` text NOT NULL,
	`release` text NOT NULL,
	`stage` text NOT NULL,
	`total` integer NOT NULL,
	PRIMARY KEY(`day`, `remote`, `release`, `stage`)
);
--> statement-breakpoint
CREATE TABLE `kept_pointers` (
	`id` integer PRIMARY KEY NOT NULL,
	`content` text NOT NULL,
	`at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `letter_authorities` (
	`kid` text PRIMARY KEY NOT NULL,
	`certificate` text NOT NULL,
	`sealed_key` text NOT NULL,
	`created_at` integer NOT NULL,
	`retired_at` integer
);
--> statement-breakpoint
CREATE TABLE `letter_keys` (
	`kid` text PRIMARY KEY NOT NULL,
	`jwk` text NOT NULL,
	`certificate` text NOT NULL,
	`created_at` integer NOT NULL,
	`revoked_at` integer
);
--> statement-breakpoint
CREATE TABLE `letters` (
	`code` text PRIMARY KEY NOT NULL,
	`ref_number` text NOT NULL,
	`payment_item_id` text NOT NULL,
	`user_id` text NOT NULL,
	`holder_name` text,
	`certificate_id` text NOT NULL,
	`template` text NOT NULL,
	`snapshot` text,
	`status` text NOT NULL,
	`issued_at` integer NOT NULL,
	`status_at` integer NOT NULL,
	`replaced_by` text,
	`told_status` text DEFAULT 'valid' NOT NULL,
	`tell_status` text,
	`checks` integer DEFAULT 0 NOT NULL,
	`last_checked_at` integer,
	`status_index` integer,
	FOREIGN KEY (`payment_item_id`) REFERENCES `payment_items`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `letters_ref_number_unique` ON `letters` (`ref_number`);--> statement-breakpoint
CREATE INDEX `letters_by_certificate` ON `letters` (`certificate_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `letters_one_current` ON `letters` (`payment_item_id`) WHERE replaced_by is null;--> statement-breakpoint
CREATE INDEX `letters_by_item` ON `letters` (`payment_item_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `letters_status_index` ON `letters` (`status_index`);--> statement-breakpoint
CREATE INDEX `letters_untold` ON `letters` (`user_id`) WHERE tell_status is not null;--> statement-breakpoint
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
CREATE INDEX `ledger_by_account` ON `ledger_entries` (`account`,`at`,`id`);--> statement-breakpoint
CREATE INDEX `ledger_by_time` ON `ledger_entries` (`at`,`id`);--> statement-breakpoint
CREATE TABLE `refunds` (
	`id` text PRIMARY KEY NOT NULL,
	`payment_id` text NOT NULL,
	`amount_minor` integer NOT NULL,
	`reason` text NOT NULL,
	`status` text NOT NULL,
	`idempotency_key` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`currency` text DEFAULT 'NGN' NOT NULL,
	`attempts` integer DEFAULT 0 NOT NULL,
	`provider_refund_id` text,
	`bank_reference` text,
	`note` text,
	`approved_by` text,
	`approved_at` integer,
	`processed_at` integer,
	`next_try_at` integer,
	`tries` integer DEFAULT 0 NOT NULL,
	`lease_until` integer,
	FOREIGN KEY (`payment_id`) REFERENCES `payments`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `refunds_idempotency_key_unique` ON `refunds` (`idempotency_key`);--> statement-breakpoint
CREATE INDEX `refunds_by_payment` ON `refunds` (`payment_id`);--> statement-breakpoint
CREATE INDEX `refunds_by_status` ON `refunds` (`status`);--> statement-breakpoint
CREATE INDEX `refunds_by_time` ON `refunds` (`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `refunds_by_bank_reference` ON `refunds` (upper(bank_reference)) WHERE bank_reference is not null;--> statement-breakpoint
CREATE INDEX `refunds_due` ON `refunds` (`next_try_at`) WHERE next_try_at is not null;--> statement-breakpoint
CREATE TABLE `backups` (
	`seq` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`at` integer NOT NULL,
	`kind` text NOT NULL,
	`file` text,
	`bytes` integer NOT NULL,
	`took_ms` integer NOT NULL,
	`verified` integer NOT NULL,
	`error` text
);
--> statement-breakpoint
CREATE TABLE `daily_counters` (
	`day` text PRIMARY KEY NOT NULL,
	`users` integer DEFAULT 0 NOT NULL,
	`certificates` integer DEFAULT 0 NOT NULL,
	`verifications` integer DEFAULT 0 NOT NULL,
	`successful` integer DEFAULT 0 NOT NULL,
	`not_found` integer DEFAULT 0 NOT NULL,
	`revenue_minor` integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE TABLE `deferrals` (
	`queue` text NOT NULL,
	`item` text NOT NULL,
	`reason` text NOT NULL,
	`attempts` integer NOT NULL,
	`since` integer NOT NULL,
	`next_at` integer NOT NULL,
	PRIMARY KEY(`queue`, `item`)
);
--> statement-breakpoint
CREATE TABLE `job_leases` (
	`name` text PRIMARY KEY NOT NULL,
	`lease_until` integer NOT NULL,
	`last_run_at` integer
);
--> statement-breakpoint
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
CREATE INDEX `outbox_delivered` ON `outbox` (`delivered_at`) WHERE delivered_at is not null;--> statement-breakpoint
CREATE TABLE `ranked_counters` (
	`kind` text NOT NULL,
	`unit` text NOT NULL,
	`period` text NOT NULL,
	`name` text COLLATE NOCASE NOT NULL,
	`verifications` integer DEFAULT 0 NOT NULL,
	`successful` integer DEFAULT 0 NOT NULL,
	`revenue_minor` integer DEFAULT 0 NOT NULL,
	PRIMARY KEY(`kind`, `unit`, `period`, `name`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `write_counter` (
	`id` integer PRIMARY KEY NOT NULL,
	`writes` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `idempotency_keys` (
	`user_id` text NOT NULL,
	`key` text NOT NULL,
	`request_hash` text NOT NULL,
	`payment_id` text,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`user_id`, `key`)
);
--> statement-breakpoint
CREATE INDEX `idempotency_keys_by_time` ON `idempotency_keys` (`created_at`);--> statement-breakpoint
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
	`result` text NOT NULL,
	`result_at` integer NOT NULL,
	`tally` text NOT NULL,
	FOREIGN KEY (`payment_id`) REFERENCES `payments`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `payment_items_one_open` ON `payment_items` (`user_id`,`certificate_number`) WHERE open = 1;--> statement-breakpoint
CREATE INDEX `payment_items_by_payment` ON `payment_items` (`payment_id`);--> statement-breakpoint
CREATE INDEX `payment_items_by_user` ON `payment_items` (`user_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `payment_items_by_number` ON `payment_items` (`user_id`,`certificate_number`);--> statement-breakpoint
CREATE INDEX `payment_items_by_time` ON `payment_items` (`result_at`,`id`);--> statement-breakpoint
CREATE INDEX `payment_items_by_result` ON `payment_items` (`result`,`result_at`,`id`);--> statement-breakpoint
CREATE INDEX `payment_items_by_certificate` ON `payment_items` (`certificate_number`);--> statement-breakpoint
CREATE TABLE `payments` (
	`id` text PRIMARY KEY NOT NULL,
	`transaction_id` text NOT NULL,
	`user_id` text NOT NULL,
	`ip_address` text,
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
CREATE INDEX `payments_by_user` ON `payments` (`user_id`,`created_at`,`id`,`status`);--> statement-breakpoint
CREATE INDEX `payments_by_time` ON `payments` (`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `payments_by_status` ON `payments` (`status`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `payments_at_gateway` ON `payments` (`created_at`) WHERE provider <> 'demo' and amount_minor > 0;--> statement-breakpoint
CREATE INDEX `payments_waiting` ON `payments` (coalesce(last_requery_at, 0),`created_at`) WHERE status in ('created', 'pending', 'unknown', 'processing', 'review', 'expired');--> statement-breakpoint
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
CREATE INDEX `webhook_inbox_due` ON `webhook_inbox` (`received_at`) WHERE processed_at is null;--> statement-breakpoint
CREATE INDEX `webhook_inbox_by_reference` ON `webhook_inbox` (`reference`);--> statement-breakpoint
CREATE TABLE `gateway_orphans` (
	`provider` text NOT NULL,
	`reference` text NOT NULL,
	`provider_txn_id` text,
	`outcome` text NOT NULL,
	`amount_minor` integer,
	`currency` text,
	`first_seen_at` integer NOT NULL,
	PRIMARY KEY(`provider`, `reference`)
);
--> statement-breakpoint
CREATE TABLE `reconciliations` (
	`id` text PRIMARY KEY NOT NULL,
	`day` text NOT NULL,
	`nightly` integer NOT NULL,
	`by_user_id` text,
	`by_email` text,
	`ip_address` text,
	`started_at` integer NOT NULL,
	`finished_at` integer,
	`lease_until` integer NOT NULL,
	`cursor_at` integer,
	`cursor_id` text,
	`processed` integer DEFAULT 0 NOT NULL,
	`updated` integer DEFAULT 0 NOT NULL,
	`mismatch_count` integer DEFAULT 0 NOT NULL,
	`mismatches` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `reconciliations_one_a_night` ON `reconciliations` (`day`) WHERE nightly;--> statement-breakpoint
CREATE INDEX `reconciliations_by_time` ON `reconciliations` (`started_at`,`id`);--> statement-breakpoint
CREATE INDEX `reconciliations_open` ON `reconciliations` (`lease_until`) WHERE finished_at is null;--> statement-breakpoint
CREATE TABLE `images` (
	`hash` text PRIMARY KEY NOT NULL,
	`type` text NOT NULL,
	`bytes` blob NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `setting_changes` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`key` text NOT NULL,
	`from_value` text NOT NULL,
	`to_value` text NOT NULL,
	`at` integer NOT NULL,
	`user_id` text,
	`user_email` text
);
--> statement-breakpoint
CREATE INDEX `setting_changes_by_key` ON `setting_changes` (`key`,`id`);--> statement-breakpoint
CREATE TABLE `settings` (
	`key` text PRIMARY KEY NOT NULL,
	`value` text NOT NULL,
	`updated_at` integer NOT NULL,
	`updated_by` text
);
