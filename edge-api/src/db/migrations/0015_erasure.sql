DROP INDEX `users_by_standing`;--> statement-breakpoint
ALTER TABLE `users` ADD `erasure_due_at` integer;--> statement-breakpoint
ALTER TABLE `users` ADD `erased_at` integer;--> statement-breakpoint
CREATE INDEX `users_erasure_due` ON `users` (`erasure_due_at`) WHERE erasure_due_at is not null;--> statement-breakpoint
CREATE INDEX `users_by_standing` ON `users` (`role`,`is_enabled`,`verified_at`,`erased_at`);--> statement-breakpoint
ALTER TABLE `letters` ADD `holder_name` text;--> statement-breakpoint
CREATE INDEX `webhook_inbox_by_reference` ON `webhook_inbox` (`reference`);--> statement-breakpoint
CREATE TRIGGER `uncount_erased_user` AFTER UPDATE OF `erased_at` ON `users` WHEN old.erased_at is null AND new.erased_at is not null BEGIN
	UPDATE `daily_counters` SET `users` = `users` - 1 WHERE `day` = date(new.created_at / 1000, 'unixepoch');
END;
