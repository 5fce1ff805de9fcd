CREATE TABLE `activity_head` (
	`id` integer PRIMARY KEY NOT NULL,
	`sealed_id` integer NOT NULL,
	`hash` text NOT NULL
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
DROP INDEX `activity_by_time`;--> statement-breakpoint
ALTER TABLE `activity_log` ADD `type` text;--> statement-breakpoint
ALTER TABLE `activity_log` ADD `status` text;--> statement-breakpoint
ALTER TABLE `activity_log` ADD `salt` text;--> statement-breakpoint
ALTER TABLE `activity_log` ADD `commitment` text;--> statement-breakpoint
ALTER TABLE `activity_log` ADD `hash` text;--> statement-breakpoint
CREATE INDEX `activity_unsealed` ON `activity_log` (`id`) WHERE hash is null;--> statement-breakpoint
CREATE INDEX `activity_by_time` ON `activity_log` (`at`,`user_id`,`type`,`status`);--> statement-breakpoint
CREATE TRIGGER `activity_log_appends_only` BEFORE DELETE ON `activity_log` BEGIN
	SELECT raise(ABORT, 'the activity log only grows');
END;
--> statement-breakpoint
CREATE TRIGGER `activity_log_stays_sealed` BEFORE UPDATE OF `id`, `user_id`, `activity`, `type`, `status`, `request_id`, `at`, `commitment`, `hash` ON `activity_log` WHEN old.hash is not null BEGIN
	SELECT raise(ABORT, 'this entry of the activity log is sealed');
END;
--> statement-breakpoint
CREATE TRIGGER `activity_log_erases_only` BEFORE UPDATE OF `user_email`, `details`, `ip_address`, `salt` ON `activity_log` WHEN old.hash is not null and not (new.user_email is null and new.details = '' and new.ip_address is null and new.salt is null) BEGIN
	SELECT raise(ABORT, 'personal values of a sealed entry can only be erased');
END;
--> statement-breakpoint
INSERT INTO `daily_counters` (`day`, `users`, `certificates`, `verifications`, `successful`, `not_found`, `revenue_minor`)
SELECT `day`, sum(`users`), sum(`certificates`), sum(`verifications`), sum(`successful`), sum(`not_found`), sum(`revenue`) FROM (
	SELECT date(`created_at` / 1000, 'unixepoch') AS `day`, 1 AS `users`, 0 AS `certificates`, 0 AS `verifications`, 0 AS `successful`, 0 AS `not_found`, 0 AS `revenue` FROM `users`
	UNION ALL SELECT date(`uploaded_at` / 1000, 'unixepoch'), 0, 1, 0, 0, 0, 0 FROM `certificates` WHERE `withdrawn_at` is null
	UNION ALL SELECT date(`at` / 1000, 'unixepoch'), 0, 0, 1, `outcome` = 'verified', `outcome` = 'not_found', 0 FROM `fulfilments` WHERE `outcome` <> 'refund_due'
	UNION ALL SELECT date(`at` / 1000, 'unixepoch'), 0, 0, 0, 0, 0, -`amount_minor` FROM `ledger_entries` WHERE `account` = 'revenue'
) GROUP BY `day`;
--> statement-breakpoint
CREATE TRIGGER `count_user` AFTER INSERT ON `users` BEGIN
	INSERT INTO `daily_counters` (`day`, `users`) VALUES (date(new.created_at / 1000, 'unixepoch'), 1)
	ON CONFLICT (`day`) DO UPDATE SET `users` = `users` + 1;
END;
--> statement-breakpoint
CREATE TRIGGER `uncount_user` AFTER DELETE ON `users` BEGIN
	UPDATE `daily_counters` SET `users` = `users` - 1 WHERE `day` = date(old.created_at / 1000, 'unixepoch');
END;
--> statement-breakpoint
CREATE TRIGGER `count_certificate` AFTER INSERT ON `certificates` WHEN new.withdrawn_at is null BEGIN
	INSERT INTO `daily_counters` (`day`, `certificates`) VALUES (date(new.uploaded_at / 1000, 'unixepoch'), 1)
	ON CONFLICT (`day`) DO UPDATE SET `certificates` = `certificates` + 1;
END;
--> statement-breakpoint
CREATE TRIGGER `uncount_certificate` AFTER DELETE ON `certificates` WHEN old.withdrawn_at is null BEGIN
	UPDATE `daily_counters` SET `certificates` = `certificates` - 1 WHERE `day` = date(old.uploaded_at / 1000, 'unixepoch');
END;
--> statement-breakpoint
CREATE TRIGGER `recount_certificate` AFTER UPDATE OF `withdrawn_at`, `uploaded_at` ON `certificates` BEGIN
	UPDATE `daily_counters` SET `certificates` = `certificates` - 1 WHERE old.withdrawn_at is null AND `day` = date(old.uploaded_at / 1000, 'unixepoch');
	INSERT INTO `daily_counters` (`day`, `certificates`) SELECT date(new.uploaded_at / 1000, 'unixepoch'), 1 WHERE new.withdrawn_at is null
	ON CONFLICT (`day`) DO UPDATE SET `certificates` = `certificates` + 1;
END;
--> statement-breakpoint
CREATE TRIGGER `count_fulfilment` AFTER INSERT ON `fulfilments` WHEN new.outcome <> 'refund_due' BEGIN
	INSERT INTO `daily_counters` (`day`, `verifications`, `successful`, `not_found`)
	VALUES (date(new.at / 1000, 'unixepoch'), 1, new.outcome = 'verified', new.outcome = 'not_found')
	ON CONFLICT (`day`) DO UPDATE SET `verifications` = `verifications` + 1, `successful` = `successful` + excluded.successful, `not_found` = `not_found` + excluded.not_found;
END;
--> statement-breakpoint
CREATE TRIGGER `count_revenue` AFTER INSERT ON `ledger_entries` WHEN new.account = 'revenue' BEGIN
	INSERT INTO `daily_counters` (`day`, `revenue_minor`) VALUES (date(new.at / 1000, 'unixepoch'), -new.amount_minor)
	ON CONFLICT (`day`) DO UPDATE SET `revenue_minor` = `revenue_minor` + excluded.revenue_minor;
END;
