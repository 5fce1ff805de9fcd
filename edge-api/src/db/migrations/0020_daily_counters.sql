CREATE TABLE `counter_rollup` (
	`id` integer PRIMARY KEY NOT NULL,
	`day` text NOT NULL
);
--> statement-breakpoint
DROP INDEX `payment_items_by_certificate`;--> statement-breakpoint
DROP INDEX `payment_items_by_number`;--> statement-breakpoint
CREATE INDEX `payment_items_by_number` ON `payment_items` (`certificate_number`,`user_id`);--> statement-breakpoint
DROP INDEX `letters_status_index`;--> statement-breakpoint
CREATE UNIQUE INDEX `letters_status_index` ON `letters` (`status_index`) WHERE status_index is not null;--> statement-breakpoint
DROP INDEX `payments_provider_txn`;--> statement-breakpoint
CREATE UNIQUE INDEX `payments_provider_txn` ON `payments` (`provider`,`provider_txn_id`) WHERE provider_txn_id is not null;
--> statement-breakpoint
-- Changes count for their day only, from the first day on that was not added up yet.
INSERT INTO `counter_rollup` (`id`, `day`) VALUES (1, coalesce((SELECT date(max(`period`), '+1 day') FROM (
	SELECT max(`period`) AS `period` FROM `activity_counters` WHERE `unit` = 'day'
	UNION ALL SELECT max(`period`) FROM `ranked_counters` WHERE `kind` = 'course' AND `unit` = 'day'
	UNION ALL SELECT max(`period`) FROM `ranked_counters` WHERE `kind` = 'organisation' AND `unit` = 'day')), ''));
--> statement-breakpoint
DROP TRIGGER `rank_course`;
--> statement-breakpoint
CREATE TRIGGER `rank_course` AFTER INSERT ON `fulfilments` WHEN new.outcome = 'verified' BEGIN
	INSERT INTO `ranked_counters` (`kind`, `unit`, `period`, `name`, `verifications`, `successful`)
	SELECT 'course', `unit`, substr(date(new.at / 1000, 'unixepoch'), 1, `length`), trim(coalesce(json_extract(new.snapshot, '$.course'), '')), 1, 1
	FROM (SELECT 'day' AS `unit`, 10 AS `length` UNION ALL SELECT 'month', 7 UNION ALL SELECT 'year', 4 UNION ALL SELECT 'all', 0)
	WHERE `unit` = 'day' OR date(new.at / 1000, 'unixepoch') < (SELECT `day` FROM `counter_rollup`)
	ON CONFLICT (`kind`, `unit`, `period`, `name`) DO UPDATE SET `verifications` = `verifications` + 1, `successful` = `successful` + 1;
END;
--> statement-breakpoint
DROP TRIGGER `rank_organisation`;
--> statement-breakpoint
CREATE TRIGGER `rank_organisation` AFTER INSERT ON `fulfilments` WHEN new.outcome <> 'refund_due' BEGIN
	INSERT INTO `ranked_counters` (`kind`, `unit`, `period`, `name`, `verifications`, `successful`)
	SELECT 'organisation', `unit`, substr(date(new.at / 1000, 'unixepoch'), 1, `length`), coalesce((SELECT trim(substr(`address`, 1, instr(`address` || ',', ',') - 1)) FROM `users` WHERE `id` = new.user_id), ''), 1, new.outcome = 'verified'
	FROM (SELECT 'day' AS `unit`, 10 AS `length` UNION ALL SELECT 'month', 7 UNION ALL SELECT 'year', 4 UNION ALL SELECT 'all', 0)
	WHERE `unit` = 'day' OR date(new.at / 1000, 'unixepoch') < (SELECT `day` FROM `counter_rollup`)
	ON CONFLICT (`kind`, `unit`, `period`, `name`) DO UPDATE SET `verifications` = `verifications` + 1, `successful` = `successful` + excluded.successful;
END;
--> statement-breakpoint
DROP TRIGGER `rank_revenue`;
--> statement-breakpoint
CREATE TRIGGER `rank_revenue` AFTER INSERT ON `ledger_entries` WHEN new.account = 'revenue' BEGIN
	INSERT INTO `ranked_counters` (`kind`, `unit`, `period`, `name`, `revenue_minor`)
	SELECT 'organisation', `unit`, substr(date(new.at / 1000, 'unixepoch'), 1, `length`), coalesce((SELECT trim(substr(`address`, 1, instr(`address` || ',', ',') - 1)) FROM `users` WHERE `id` = (SELECT `user_id` FROM `payments` WHERE `id` = new.payment_id)), ''), -new.amount_minor
	FROM (SELECT 'day' AS `unit`, 10 AS `length` UNION ALL SELECT 'month', 7 UNION ALL SELECT 'year', 4 UNION ALL SELECT 'all', 0)
	WHERE `unit` = 'day' OR date(new.at / 1000, 'unixepoch') < (SELECT `day` FROM `counter_rollup`)
	ON CONFLICT (`kind`, `unit`, `period`, `name`) DO UPDATE SET `revenue_minor` = `revenue_minor` + excluded.revenue_minor;
END;
--> statement-breakpoint
DROP TRIGGER `count_activity`;
--> statement-breakpoint
CREATE TRIGGER `count_activity` AFTER INSERT ON `activity_log` BEGIN
	INSERT INTO `activity_counters` (`unit`, `period`, `user_id`, `type`, `status`, `total`)
	SELECT `unit`, substr(date(new.at / 1000, 'unixepoch'), 1, `length`), '', coalesce(new.type, ''), coalesce(new.status, ''), 1
	FROM (SELECT 'day' AS `unit`, 10 AS `length` UNION ALL SELECT 'month', 7 UNION ALL SELECT 'year', 4)
	WHERE `unit` = 'day' OR date(new.at / 1000, 'unixepoch') < (SELECT `day` FROM `counter_rollup`)
	ON CONFLICT (`unit`, `period`, `user_id`, `type`, `status`) DO UPDATE SET `total` = `total` + 1;
	INSERT INTO `activity_counters` (`unit`, `period`, `user_id`, `type`, `status`, `total`)
	SELECT `unit`, substr(date(new.at / 1000, 'unixepoch'), 1, `length`), new.user_id, coalesce(new.type, ''), coalesce(new.status, ''), 1
	FROM (SELECT 'day' AS `unit`, 10 AS `length` UNION ALL SELECT 'month', 7 UNION ALL SELECT 'year', 4)
	WHERE new.user_id is not null AND NOT EXISTS (SELECT 1 FROM `users` WHERE `id` = new.user_id AND `role` = 'user')
		AND (`unit` = 'day' OR date(new.at / 1000, 'unixepoch') < (SELECT `day` FROM `counter_rollup`))
	ON CONFLICT (`unit`, `period`, `user_id`, `type`, `status`) DO UPDATE SET `total` = `total` + 1;
END;
--> statement-breakpoint
DROP TRIGGER `hide_activity`;
--> statement-breakpoint
CREATE TRIGGER `hide_activity` AFTER UPDATE OF `role` ON `users` WHEN old.role = 'user' AND new.role <> 'user' BEGIN
	INSERT INTO `activity_counters` (`unit`, `period`, `user_id`, `type`, `status`, `total`)
	SELECT `unit`, substr(date(`at` / 1000, 'unixepoch'), 1, `length`), new.id, coalesce(`type`, ''), coalesce(`status`, ''), count(*)
	FROM `activity_log`, (SELECT 'day' AS `unit`, 10 AS `length` UNION ALL SELECT 'month', 7 UNION ALL SELECT 'year', 4)
	WHERE `user_id` = new.id AND (`unit` = 'day' OR date(`at` / 1000, 'unixepoch') < (SELECT `day` FROM `counter_rollup`))
	GROUP BY 1, 2, 4, 5;
END;
--> statement-breakpoint
DROP TRIGGER `hide_activity_of_deleted`;
--> statement-breakpoint
CREATE TRIGGER `hide_activity_of_deleted` AFTER DELETE ON `users` WHEN old.role = 'user' BEGIN
	INSERT INTO `activity_counters` (`unit`, `period`, `user_id`, `type`, `status`, `total`)
	SELECT `unit`, substr(date(`at` / 1000, 'unixepoch'), 1, `length`), old.id, coalesce(`type`, ''), coalesce(`status`, ''), count(*)
	FROM `activity_log`, (SELECT 'day' AS `unit`, 10 AS `length` UNION ALL SELECT 'month', 7 UNION ALL SELECT 'year', 4)
	WHERE `user_id` = old.id AND (`unit` = 'day' OR date(`at` / 1000, 'unixepoch') < (SELECT `day` FROM `counter_rollup`))
	GROUP BY 1, 2, 4, 5;
END;
