CREATE TABLE `organisation_keys` (
	`seq` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`id` text NOT NULL,
	`organisation_id` text NOT NULL,
	`name` text NOT NULL,
	`mode` text NOT NULL,
	`access` text NOT NULL,
	`hash` text NOT NULL,
	`prefix` text NOT NULL,
	`last4` text NOT NULL,
	`created_by` text,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`last_used_at` integer,
	`revoked_at` integer,
	`rotated_at` integer,
	`warned_at` integer,
	FOREIGN KEY (`organisation_id`) REFERENCES `organisations`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `organisation_keys_id_unique` ON `organisation_keys` (`id`);--> statement-breakpoint
CREATE UNIQUE INDEX `organisation_keys_hash_unique` ON `organisation_keys` (`hash`);--> statement-breakpoint
CREATE INDEX `organisation_keys_by_organisation` ON `organisation_keys` (`organisation_id`,`seq`);--> statement-breakpoint
CREATE INDEX `organisation_keys_expiring` ON `organisation_keys` (`expires_at`) WHERE revoked_at is null and rotated_at is null and warned_at is null;--> statement-breakpoint
ALTER TABLE `organisation_verifications` ADD `due_at` integer;--> statement-breakpoint
CREATE INDEX `organisation_verifications_due` ON `organisation_verifications` (`due_at`) WHERE due_at is not null;--> statement-breakpoint
CREATE INDEX `organisation_verifications_test` ON `organisation_verifications` (`created_at`) WHERE livemode = 0;--> statement-breakpoint
CREATE INDEX `organisation_batches_test` ON `organisation_batches` (`created_at`) WHERE livemode = 0;