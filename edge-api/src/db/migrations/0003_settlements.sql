CREATE TABLE `settlement_differences` (
	`id` text PRIMARY KEY NOT NULL,
	`key` text NOT NULL,
	`kind` text NOT NULL,
	`provider` text NOT NULL,
	`reference` text NOT NULL,
	`settlement_id` text,
	`payment_id` text,
	`currency` text NOT NULL,
	`expected_minor` integer,
	`found_minor` integer,
	`found_at` integer NOT NULL,
	`resolved_at` integer,
	`explained_at` integer,
	`explained_by` text,
	`note` text,
	FOREIGN KEY (`settlement_id`) REFERENCES `settlements`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`payment_id`) REFERENCES `payments`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `settlement_differences_key_unique` ON `settlement_differences` (`key`);--> statement-breakpoint
CREATE INDEX `settlement_differences_by_time` ON `settlement_differences` (`found_at`,`id`);--> statement-breakpoint
CREATE INDEX `settlement_differences_open` ON `settlement_differences` (`found_at`,`id`) WHERE resolved_at is null and explained_at is null;--> statement-breakpoint
CREATE INDEX `settlement_differences_by_payment` ON `settlement_differences` (`payment_id`) WHERE payment_id is not null;--> statement-breakpoint
CREATE INDEX `settlement_differences_by_settlement` ON `settlement_differences` (`settlement_id`);--> statement-breakpoint
CREATE TABLE `settlement_lines` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`settlement_id` text NOT NULL,
	`key` text NOT NULL,
	`kind` text NOT NULL,
	`reference` text NOT NULL,
	`payment_id` text,
	`amount_minor` integer NOT NULL,
	`fee_minor` integer,
	`net_minor` integer NOT NULL,
	`at` integer NOT NULL,
	FOREIGN KEY (`settlement_id`) REFERENCES `settlements`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`payment_id`) REFERENCES `payments`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `settlement_lines_once` ON `settlement_lines` (`settlement_id`,`key`);--> statement-breakpoint
CREATE INDEX `settlement_lines_by_payment` ON `settlement_lines` (`payment_id`) WHERE payment_id is not null;--> statement-breakpoint
CREATE TABLE `settlement_runs` (
	`day` text NOT NULL,
	`provider` text NOT NULL,
	`lease_until` integer NOT NULL,
	`finished_at` integer,
	PRIMARY KEY(`day`, `provider`)
);
--> statement-breakpoint
CREATE TABLE `settlements` (
	`id` text PRIMARY KEY NOT NULL,
	`provider` text NOT NULL,
	`reference` text NOT NULL,
	`currency` text NOT NULL,
	`settled_at` integer NOT NULL,
	`stated_minor` integer,
	`source` text NOT NULL,
	`file_name` text,
	`by_email` text,
	`created_at` integer NOT NULL,
	`lines` integer DEFAULT 0 NOT NULL,
	`amount_minor` integer DEFAULT 0 NOT NULL,
	`fee_minor` integer DEFAULT 0 NOT NULL,
	`net_minor` integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `settlements_once` ON `settlements` (`provider`,`reference`);--> statement-breakpoint
CREATE INDEX `settlements_by_time` ON `settlements` (`settled_at`,`id`);