DROP TRIGGER `count_account`;
--> statement-breakpoint
DROP TRIGGER `uncount_account`;
--> statement-breakpoint
DROP TRIGGER `recount_account`;
--> statement-breakpoint
DROP TABLE `account_counters`;
--> statement-breakpoint
CREATE TABLE `account_counters` (
	`day` text NOT NULL,
	`role` text NOT NULL,
	`is_enabled` integer NOT NULL,
	`is_verified` integer NOT NULL,
	`total` integer NOT NULL,
	PRIMARY KEY(`day`, `role`, `is_enabled`, `is_verified`)
) WITHOUT ROWID;
--> statement-breakpoint
INSERT INTO `account_counters` (`day`, `role`, `is_enabled`, `is_verified`, `total`)
SELECT date(`created_at` / 1000, 'unixepoch'), `role`, `is_enabled`, `verified_at` is not null, count(*) FROM `users` WHERE `erased_at` is null GROUP BY 1, 2, 3, 4;
--> statement-breakpoint
CREATE TRIGGER `count_account` AFTER INSERT ON `users` WHEN new.`erased_at` is null BEGIN
	INSERT INTO `account_counters` (`day`, `role`, `is_enabled`, `is_verified`, `total`) VALUES (date(new.`created_at` / 1000, 'unixepoch'), new.`role`, new.`is_enabled`, new.`verified_at` is not null, 1)
	ON CONFLICT (`day`, `role`, `is_enabled`, `is_verified`) DO UPDATE SET `total` = `total` + 1;
END;
--> statement-breakpoint
CREATE TRIGGER `uncount_account` AFTER DELETE ON `users` WHEN old.`erased_at` is null BEGIN
	UPDATE `account_counters` SET `total` = `total` - 1 WHERE `day` = date(old.`created_at` / 1000, 'unixepoch') AND `role` = old.`role` AND `is_enabled` = old.`is_enabled` AND `is_verified` = (old.`verified_at` is not null);
END;
--> statement-breakpoint
CREATE TRIGGER `recount_account` AFTER UPDATE OF `role`, `is_enabled`, `verified_at`, `erased_at`, `created_at` ON `users` BEGIN
	UPDATE `account_counters` SET `total` = `total` - 1 WHERE old.`erased_at` is null AND `day` = date(old.`created_at` / 1000, 'unixepoch') AND `role` = old.`role` AND `is_enabled` = old.`is_enabled` AND `is_verified` = (old.`verified_at` is not null);
	INSERT INTO `account_counters` (`day`, `role`, `is_enabled`, `is_verified`, `total`) SELECT date(new.`created_at` / 1000, 'unixepoch'), new.`role`, new.`is_enabled`, new.`verified_at` is not null, 1 WHERE new.`erased_at` is null
	ON CONFLICT (`day`, `role`, `is_enabled`, `is_verified`) DO UPDATE SET `total` = `total` + 1;
END;
