DROP INDEX `letters_payment_item_id_unique`;--> statement-breakpoint
ALTER TABLE `letters` ADD `snapshot` text;--> statement-breakpoint
ALTER TABLE `letters` ADD `replaced_by` text;--> statement-breakpoint
ALTER TABLE `letters` ADD `told_status` text DEFAULT 'valid' NOT NULL;--> statement-breakpoint
ALTER TABLE `letters` ADD `tell_status` text;--> statement-breakpoint
ALTER TABLE `letters` ADD `checks` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `letters` ADD `last_checked_at` integer;--> statement-breakpoint
CREATE UNIQUE INDEX `letters_one_current` ON `letters` (`payment_item_id`) WHERE replaced_by is null;--> statement-breakpoint
CREATE INDEX `letters_by_item` ON `letters` (`payment_item_id`);--> statement-breakpoint
CREATE INDEX `letters_untold` ON `letters` (`user_id`) WHERE tell_status is not null;--> statement-breakpoint
UPDATE `letters` SET `snapshot` = (SELECT `snapshot` FROM `fulfilments` WHERE `fulfilments`.`payment_item_id` = `letters`.`payment_item_id`);