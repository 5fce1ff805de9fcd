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
CREATE INDEX `setting_changes_by_key` ON `setting_changes` (`key`,`id`);