CREATE TABLE `letter_keys` (
	`kid` text PRIMARY KEY NOT NULL,
	`jwk` text NOT NULL,
	`certificate` text NOT NULL,
	`created_at` integer NOT NULL,
	`revoked_at` integer
);
--> statement-breakpoint
ALTER TABLE `letters` ADD `status_index` integer;--> statement-breakpoint
CREATE UNIQUE INDEX `letters_status_index` ON `letters` (`status_index`);