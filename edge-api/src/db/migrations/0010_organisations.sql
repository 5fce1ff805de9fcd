CREATE TABLE `organisation_batch_items` (
	`seq` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`batch_id` text NOT NULL,
	`certificate_number` text NOT NULL,
	`status` text NOT NULL,
	`message` text,
	`verification_id` text
);
--> statement-breakpoint
CREATE INDEX `organisation_batch_items_by_batch` ON `organisation_batch_items` (`batch_id`,`seq`);--> statement-breakpoint
CREATE INDEX `organisation_batch_items_pending` ON `organisation_batch_items` (`batch_id`,`seq`) WHERE status = 'pending';--> statement-breakpoint
CREATE INDEX `organisation_batch_items_by_status` ON `organisation_batch_items` (`batch_id`,`status`);--> statement-breakpoint
CREATE TABLE `organisation_batches` (
	`seq` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`id` text NOT NULL,
	`organisation_id` text NOT NULL,
	`name` text,
	`purpose` text,
	`status` text NOT NULL,
	`fee_minor` integer NOT NULL,
	`unknown_policy` text NOT NULL,
	`tax_name` text,
	`tax_basis_points` integer,
	`total` integer NOT NULL,
	`waiting_until` integer,
	`requested_by` text,
	`ip_address` text,
	`request_id` text,
	`source` text NOT NULL,
	`livemode` integer NOT NULL,
	`lease_until` integer,
	`created_at` integer NOT NULL,
	`completed_at` integer,
	FOREIGN KEY (`organisation_id`) REFERENCES `organisations`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `organisation_batches_id_unique` ON `organisation_batches` (`id`);--> statement-breakpoint
CREATE INDEX `organisation_batches_by_organisation` ON `organisation_batches` (`organisation_id`,`seq`);--> statement-breakpoint
CREATE INDEX `organisation_batches_running` ON `organisation_batches` (`created_at`) WHERE status = 'processing';--> statement-breakpoint
CREATE TABLE `organisation_holds` (
	`id` text PRIMARY KEY NOT NULL,
	`organisation_id` text NOT NULL,
	`batch_item_seq` integer,
	`verification_id` text,
	`amount_minor` integer NOT NULL,
	`state` text NOT NULL,
	`created_at` integer NOT NULL,
	`ended_at` integer,
	FOREIGN KEY (`organisation_id`) REFERENCES `organisations`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "organisation_holds_amount" CHECK("organisation_holds"."amount_minor" > 0)
);
--> statement-breakpoint
CREATE UNIQUE INDEX `organisation_holds_batch_item_seq_unique` ON `organisation_holds` (`batch_item_seq`);--> statement-breakpoint
CREATE UNIQUE INDEX `organisation_holds_verification_id_unique` ON `organisation_holds` (`verification_id`);--> statement-breakpoint
CREATE INDEX `organisation_holds_open` ON `organisation_holds` (`organisation_id`,`created_at`) WHERE state = 'held';--> statement-breakpoint
CREATE INDEX `organisation_holds_old` ON `organisation_holds` (`created_at`) WHERE state = 'held';--> statement-breakpoint
CREATE TABLE `organisation_invoices` (
	`id` text PRIMARY KEY NOT NULL,
	`organisation_id` text NOT NULL,
	`year` integer NOT NULL,
	`place` integer NOT NULL,
	`amount_minor` integer NOT NULL,
	`state` text NOT NULL,
	`due_on` text NOT NULL,
	`addressee` text NOT NULL,
	`bank_details` text NOT NULL,
	`created_by` text,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`paid_at` integer,
	`payment_id` text,
	FOREIGN KEY (`organisation_id`) REFERENCES `organisations`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `organisation_invoices_number` ON `organisation_invoices` (`year`,`place`);--> statement-breakpoint
CREATE INDEX `organisation_invoices_by_organisation` ON `organisation_invoices` (`organisation_id`,`created_at`);--> statement-breakpoint
CREATE INDEX `organisation_invoices_open` ON `organisation_invoices` (`expires_at`) WHERE state = 'open';--> statement-breakpoint
CREATE TABLE `organisation_movements` (
	`seq` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`id` text NOT NULL,
	`organisation_id` text NOT NULL,
	`type` text NOT NULL,
	`amount_minor` integer NOT NULL,
	`balance_after_minor` integer NOT NULL,
	`description` text NOT NULL,
	`payment_id` text NOT NULL,
	`dedupe_key` text NOT NULL,
	`at` integer NOT NULL,
	FOREIGN KEY (`organisation_id`) REFERENCES `organisations`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`payment_id`) REFERENCES `payments`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `organisation_movements_id_unique` ON `organisation_movements` (`id`);--> statement-breakpoint
CREATE UNIQUE INDEX `organisation_movements_dedupe_key_unique` ON `organisation_movements` (`dedupe_key`);--> statement-breakpoint
CREATE INDEX `organisation_movements_by_organisation` ON `organisation_movements` (`organisation_id`,`seq`);--> statement-breakpoint
CREATE INDEX `organisation_movements_by_time` ON `organisation_movements` (`organisation_id`,`at`);--> statement-breakpoint
CREATE INDEX `organisation_movements_by_type` ON `organisation_movements` (`type`,`at`);--> statement-breakpoint
CREATE INDEX `organisation_movements_by_payment` ON `organisation_movements` (`payment_id`);--> statement-breakpoint
CREATE TABLE `organisation_transfers` (
	`payment_id` text PRIMARY KEY NOT NULL,
	`organisation_id` text NOT NULL,
	`kind` text NOT NULL,
	`bank_reference` text NOT NULL,
	`reference_key` text NOT NULL,
	`received_on` text,
	`invoice_id` text,
	`note` text,
	`reversed_at` integer,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`payment_id`) REFERENCES `payments`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`organisation_id`) REFERENCES `organisations`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `organisation_transfers_reference` ON `organisation_transfers` (`reference_key`) WHERE kind = 'credit' and reversed_at is null;--> statement-breakpoint
CREATE INDEX `organisation_transfers_by_organisation` ON `organisation_transfers` (`organisation_id`,`created_at`);--> statement-breakpoint
CREATE TABLE `organisation_verifications` (
	`seq` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`id` text NOT NULL,
	`organisation_id` text NOT NULL,
	`certificate_number` text NOT NULL,
	`reference` text,
	`purpose` text,
	`status` text NOT NULL,
	`result` text,
	`amount_minor` integer NOT NULL,
	`payment_id` text,
	`batch_id` text,
	`requested_by` text,
	`source` text NOT NULL,
	`livemode` integer NOT NULL,
	`created_at` integer NOT NULL,
	`completed_at` integer,
	FOREIGN KEY (`organisation_id`) REFERENCES `organisations`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`payment_id`) REFERENCES `payments`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `organisation_verifications_id_unique` ON `organisation_verifications` (`id`);--> statement-breakpoint
CREATE INDEX `organisation_verifications_by_organisation` ON `organisation_verifications` (`organisation_id`,`seq`);--> statement-breakpoint
CREATE INDEX `organisation_verifications_by_number` ON `organisation_verifications` (`organisation_id`,`certificate_number`);--> statement-breakpoint
CREATE INDEX `organisation_verifications_by_result` ON `organisation_verifications` (`organisation_id`,`livemode`,`result`);--> statement-breakpoint
CREATE INDEX `organisation_verifications_by_payment` ON `organisation_verifications` (`payment_id`);--> statement-breakpoint
CREATE INDEX `organisation_verifications_by_requester` ON `organisation_verifications` (`requested_by`);--> statement-breakpoint
CREATE TABLE `organisation_idempotency_keys` (
	`scope` text NOT NULL,
	`key` text NOT NULL,
	`request_hash` text NOT NULL,
	`reply` text NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`scope`, `key`)
);
--> statement-breakpoint
CREATE INDEX `organisation_idempotency_keys_by_time` ON `organisation_idempotency_keys` (`created_at`);--> statement-breakpoint
CREATE TABLE `organisation_invitations` (
	`id` text PRIMARY KEY NOT NULL,
	`organisation_id` text NOT NULL,
	`email` text NOT NULL,
	`role` text NOT NULL,
	`state` text NOT NULL,
	`token_hash` text NOT NULL,
	`invited_by` text,
	`expires_at` integer NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`organisation_id`) REFERENCES `organisations`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `organisation_invitations_token_hash_unique` ON `organisation_invitations` (`token_hash`);--> statement-breakpoint
CREATE INDEX `organisation_invitations_by_organisation` ON `organisation_invitations` (`organisation_id`,`created_at`);--> statement-breakpoint
CREATE INDEX `organisation_invitations_by_email` ON `organisation_invitations` (`email`);--> statement-breakpoint
CREATE UNIQUE INDEX `organisation_invitations_one_pending` ON `organisation_invitations` (`organisation_id`,`email`) WHERE state = 'pending';--> statement-breakpoint
CREATE TABLE `organisation_members` (
	`organisation_id` text NOT NULL,
	`user_id` text NOT NULL,
	`role` text NOT NULL,
	`joined_at` integer NOT NULL,
	PRIMARY KEY(`organisation_id`, `user_id`),
	FOREIGN KEY (`organisation_id`) REFERENCES `organisations`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `organisation_members_by_user` ON `organisation_members` (`user_id`,`organisation_id`);--> statement-breakpoint
CREATE TABLE `organisations` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`line1` text NOT NULL,
	`line2` text,
	`city` text NOT NULL,
	`region` text NOT NULL,
	`country` text NOT NULL,
	`contact_email` text NOT NULL,
	`phone` text NOT NULL,
	`registration_number` text,
	`website` text,
	`state` text NOT NULL,
	`state_reason` text,
	`vetted_at` integer,
	`balance_minor` integer DEFAULT 0 NOT NULL,
	`held_minor` integer DEFAULT 0 NOT NULL,
	`debt_minor` integer DEFAULT 0 NOT NULL,
	`low_balance_alert_minor` integer,
	`low_balance_told` integer DEFAULT 0 NOT NULL,
	`created_by` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	FOREIGN KEY (`id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "organisations_held" CHECK("organisations"."held_minor" >= 0 and "organisations"."held_minor" <= "organisations"."balance_minor"),
	CONSTRAINT "organisations_debt" CHECK("organisations"."debt_minor" >= 0)
);
--> statement-breakpoint
CREATE INDEX `organisations_by_time` ON `organisations` (`created_at`,`id`);--> statement-breakpoint
DROP INDEX `payments_at_gateway`;--> statement-breakpoint
ALTER TABLE `payments` ADD `organisation_id` text;--> statement-breakpoint
ALTER TABLE `payments` ADD `purpose` text DEFAULT 'verification' NOT NULL;--> statement-breakpoint
CREATE INDEX `payments_by_organisation` ON `payments` (`organisation_id`,`created_at`,`id`) WHERE organisation_id is not null;--> statement-breakpoint
CREATE INDEX `payments_topups` ON `payments` (`created_at`) WHERE purpose = 'topup';--> statement-breakpoint
CREATE INDEX `payments_at_gateway` ON `payments` (`created_at`) WHERE provider <> 'demo' and amount_minor > 0 and provider not in ('balance', 'bank');--> statement-breakpoint
ALTER TABLE `activity_log` ADD `organisation_id` text;--> statement-breakpoint
CREATE INDEX `activity_by_organisation` ON `activity_log` (`organisation_id`,`id`) WHERE organisation_id is not null;--> statement-breakpoint
-- Counters of payments are of those at a gateway; charges to a balance and bank transfers have their own lists.
DROP TRIGGER `count_payment`;--> statement-breakpoint
CREATE TRIGGER `count_payment` AFTER INSERT ON `payments` WHEN new.`provider` NOT IN ('balance', 'bank') BEGIN
	INSERT INTO `payment_counters` (`day`, `status`, `total`, `due_minor`, `paid_minor`) VALUES (date(new.`created_at` / 1000, 'unixepoch'), new.`status`, 1, new.`amount_minor`, coalesce(new.`amount_paid_minor`, 0))
	ON CONFLICT (`day`, `status`) DO UPDATE SET `total` = `total` + 1, `due_minor` = `due_minor` + excluded.`due_minor`, `paid_minor` = `paid_minor` + excluded.`paid_minor`;
END;
--> statement-breakpoint
DROP TRIGGER `recount_payment`;--> statement-breakpoint
CREATE TRIGGER `recount_payment` AFTER UPDATE OF `status`, `created_at`, `amount_minor`, `amount_paid_minor` ON `payments` WHEN new.`provider` NOT IN ('balance', 'bank') AND (old.`status` <> new.`status` OR old.`created_at` <> new.`created_at` OR old.`amount_minor` <> new.`amount_minor` OR old.`amount_paid_minor` is not new.`amount_paid_minor`) BEGIN
	UPDATE `payment_counters` SET `total` = `total` - 1, `due_minor` = `due_minor` - old.`amount_minor`, `paid_minor` = `paid_minor` - coalesce(old.`amount_paid_minor`, 0) WHERE `day` = date(old.`created_at` / 1000, 'unixepoch') AND `status` = old.`status`;
	INSERT INTO `payment_counters` (`day`, `status`, `total`, `due_minor`, `paid_minor`) VALUES (date(new.`created_at` / 1000, 'unixepoch'), new.`status`, 1, new.`amount_minor`, coalesce(new.`amount_paid_minor`, 0))
	ON CONFLICT (`day`, `status`) DO UPDATE SET `total` = `total` + 1, `due_minor` = `due_minor` + excluded.`due_minor`, `paid_minor` = `paid_minor` + excluded.`paid_minor`;
END;
