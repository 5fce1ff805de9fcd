ALTER TABLE `kept_pointers` RENAME TO `stored_pointers`;--> statement-breakpoint
ALTER TABLE `letters` RENAME COLUMN "told_status" TO "notified_status";--> statement-breakpoint
ALTER TABLE `letters` RENAME COLUMN "tell_status" TO "pending_status";--> statement-breakpoint
ALTER TABLE `organisation_endpoints` RENAME COLUMN "failing_told_at" TO "failing_notified_at";--> statement-breakpoint
ALTER TABLE `organisations` RENAME COLUMN "low_balance_told" TO "low_balance_notified";--> statement-breakpoint
DROP INDEX `letters_untold`;--> statement-breakpoint
CREATE INDEX `letters_notification_due` ON `letters` (`user_id`) WHERE pending_status is not null;--> statement-breakpoint
UPDATE `payment_events` SET `source` = 'scheduler' WHERE `source` = 'tick';
