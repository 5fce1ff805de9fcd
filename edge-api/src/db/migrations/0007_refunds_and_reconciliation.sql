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
ALTER TABLE `refunds` ADD `currency` text DEFAULT 'NGN' NOT NULL;--> statement-breakpoint
ALTER TABLE `refunds` ADD `attempts` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `refunds` ADD `provider_refund_id` text;--> statement-breakpoint
ALTER TABLE `refunds` ADD `bank_reference` text;--> statement-breakpoint
ALTER TABLE `refunds` ADD `note` text;--> statement-breakpoint
ALTER TABLE `refunds` ADD `approved_by` text;--> statement-breakpoint
ALTER TABLE `refunds` ADD `approved_at` integer;--> statement-breakpoint
ALTER TABLE `refunds` ADD `processed_at` integer;--> statement-breakpoint
ALTER TABLE `refunds` ADD `next_try_at` integer;--> statement-breakpoint
ALTER TABLE `refunds` ADD `tries` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `refunds` ADD `lease_until` integer;--> statement-breakpoint
CREATE INDEX `refunds_due` ON `refunds` (`next_try_at`) WHERE next_try_at is not null;--> statement-breakpoint
CREATE INDEX `ledger_by_account` ON `ledger_entries` (`account`,`currency`,`amount_minor`);--> statement-breakpoint
CREATE INDEX `ledger_by_time` ON `ledger_entries` (`at`);--> statement-breakpoint
UPDATE `refunds` SET `currency` = coalesce((SELECT `currency` FROM `ledger_entries` WHERE `ledger_entries`.`payment_id` = `refunds`.`payment_id` AND `account` = 'refund_payable' LIMIT 1), 'NGN');--> statement-breakpoint
CREATE TRIGGER `refunds_within_receipts` BEFORE INSERT ON `refunds`
WHEN NEW.`amount_minor` <= 0 OR NEW.`amount_minor` + (
	SELECT coalesce(sum(`amount_minor`), 0) FROM `refunds` WHERE `payment_id` = NEW.`payment_id` AND `idempotency_key` <> NEW.`idempotency_key`
) > (
	SELECT coalesce(sum(`amount_minor`), 0) FROM `ledger_entries` WHERE `payment_id` = NEW.`payment_id` AND `account` = 'gateway_clearing' AND `amount_minor` > 0 AND `currency` = NEW.`currency`
)
BEGIN
	SELECT RAISE(ABORT, 'refunds would exceed what was received');
END;--> statement-breakpoint
CREATE TRIGGER `refunds_amount_stands` BEFORE UPDATE OF `amount_minor`, `payment_id`, `currency` ON `refunds`
BEGIN
	SELECT RAISE(ABORT, 'the amount of a refund never changes');
END;
