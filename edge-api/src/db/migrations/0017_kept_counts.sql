CREATE TABLE `account_counters` (
	`role` text NOT NULL,
	`is_enabled` integer NOT NULL,
	`is_verified` integer NOT NULL,
	`is_erased` integer NOT NULL,
	`total` integer NOT NULL,
	PRIMARY KEY(`role`, `is_enabled`, `is_verified`, `is_erased`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `certificate_blocks` (
	`block` integer PRIMARY KEY NOT NULL,
	`standing` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `item_counters` (
	`day` text NOT NULL,
	`result` text NOT NULL,
	`total` integer NOT NULL,
	PRIMARY KEY(`day`, `result`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `ledger_counters` (
	`day` text NOT NULL,
	`account` text NOT NULL,
	`currency` text NOT NULL,
	`entries` integer NOT NULL,
	`minor` integer NOT NULL,
	PRIMARY KEY(`day`, `account`, `currency`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `payment_counters` (
	`day` text NOT NULL,
	`status` text NOT NULL,
	`total` integer NOT NULL,
	`due_minor` integer NOT NULL,
	`paid_minor` integer NOT NULL,
	PRIMARY KEY(`day`, `status`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `user_counters` (
	`user_id` text PRIMARY KEY NOT NULL,
	`total` integer DEFAULT 0 NOT NULL,
	`found` integer DEFAULT 0 NOT NULL,
	`again` integer DEFAULT 0 NOT NULL,
	`missed` integer DEFAULT 0 NOT NULL,
	`spent_minor` integer DEFAULT 0 NOT NULL
) WITHOUT ROWID;
--> statement-breakpoint
DROP INDEX `users_by_standing`;--> statement-breakpoint
DROP INDEX `users_staff`;--> statement-breakpoint
DROP INDEX `users_by_creation`;--> statement-breakpoint
CREATE INDEX `users_by_role` ON `users` (`role`,`created_at`,`id`,`is_enabled`,`verified_at`,`erased_at`);--> statement-breakpoint
CREATE INDEX `users_by_creation` ON `users` (`created_at`,`id`,`is_enabled`,`verified_at`,`erased_at`);--> statement-breakpoint
DROP INDEX `activity_by_time`;--> statement-breakpoint
DROP INDEX `activity_by_user`;--> statement-breakpoint
CREATE INDEX `activity_by_type` ON `activity_log` (`type`,`at`,`id`,`user_id`);--> statement-breakpoint
CREATE INDEX `activity_by_time` ON `activity_log` (`at`,`id`,`user_id`);--> statement-breakpoint
CREATE INDEX `activity_by_user` ON `activity_log` (`user_id`,`at`,`id`,`type`,`status`);--> statement-breakpoint
DROP INDEX `ledger_by_account`;--> statement-breakpoint
DROP INDEX `ledger_by_time`;--> statement-breakpoint
CREATE INDEX `ledger_by_account` ON `ledger_entries` (`account`,`at`,`id`);--> statement-breakpoint
CREATE INDEX `ledger_by_time` ON `ledger_entries` (`at`,`id`);--> statement-breakpoint
DROP INDEX `payment_items_by_result`;--> statement-breakpoint
ALTER TABLE `payment_items` ADD `tally` text DEFAULT 'none' NOT NULL;--> statement-breakpoint
CREATE INDEX `payment_items_by_time` ON `payment_items` (`result_at`,`id`);--> statement-breakpoint
CREATE INDEX `payment_items_by_result` ON `payment_items` (`result`,`result_at`,`id`);--> statement-breakpoint
DROP INDEX `payments_by_user`;--> statement-breakpoint
DROP INDEX `payments_by_time`;--> statement-breakpoint
CREATE INDEX `payments_by_user` ON `payments` (`user_id`,`created_at`,`id`,`status`);--> statement-breakpoint
CREATE INDEX `payments_by_status` ON `payments` (`status`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `payments_by_time` ON `payments` (`created_at`,`id`);--> statement-breakpoint
DROP TRIGGER `result_of_item`;
--> statement-breakpoint
DROP TRIGGER `result_of_fulfilment`;
--> statement-breakpoint
DROP TRIGGER `result_of_payment`;
--> statement-breakpoint
DROP TRIGGER `result_of_second_payment`;
--> statement-breakpoint
DROP VIEW `item_results`;
--> statement-breakpoint
CREATE VIEW `item_results` AS
SELECT `id`, `result_at`, `tally`,
	CASE
		WHEN `status` IN ('created', 'pending', 'unknown', 'processing', 'review', 'mismatched') THEN 'pending'
		WHEN `tally` IN ('found', 'again') THEN 'success'
		ELSE 'failed'
	END AS `result`
FROM (
	SELECT `item`.`id` AS `id`, `payment`.`status` AS `status`, coalesce(`given`.`at`, `item`.`created_at`) AS `result_at`,
		CASE
			WHEN `payment`.`status` NOT IN ('paid', 'refunded') OR `given`.`outcome` IS NULL THEN 'none'
			WHEN `given`.`outcome` = 'verified' THEN 'found'
			WHEN `given`.`outcome` = 'not_found' THEN 'not_found'
			WHEN `payment`.`status` = 'paid' AND EXISTS (
			SELECT 1 FROM `fulfilments` AS `earlier`
			JOIN `payments` AS `earlier_payment` ON `earlier_payment`.`id` = `earlier`.`payment_id`
			JOIN `certificates` AS `earlier_certificate` ON `earlier_certificate`.`id` = `earlier`.`certificate_id`
			WHERE `earlier`.`user_id` = `item`.`user_id` AND `earlier`.`certificate_number` = `item`.`certificate_number`
				AND `earlier`.`outcome` = 'verified' AND `earlier_payment`.`status` IN ('paid', 'refunded') AND `earlier`.`at` <= `given`.`at`
				AND (`earlier_certificate`.`withdrawn_at` IS NULL OR `earlier_certificate`.`withdrawn_at` > `given`.`at`)
		) THEN 'again'
			ELSE 'due'
		END AS `tally`
	FROM `payment_items` AS `item`
	JOIN `payments` AS `payment` ON `payment`.`id` = `item`.`payment_id`
	LEFT JOIN `fulfilments` AS `given` ON `given`.`payment_item_id` = `item`.`id`
);
--> statement-breakpoint
UPDATE `payment_items` SET `tally` = (SELECT `tally` FROM `item_results` WHERE `item_results`.`id` = `payment_items`.`id`);
--> statement-breakpoint
CREATE TRIGGER `result_of_item` AFTER INSERT ON `payment_items` BEGIN
	UPDATE `payment_items` SET (`result`, `result_at`, `tally`) = (SELECT `result`, `result_at`, `tally` FROM `item_results` WHERE `item_results`.`id` = `payment_items`.`id`)
	WHERE `id` = new.`id`;
END;
--> statement-breakpoint
CREATE TRIGGER `result_of_fulfilment` AFTER INSERT ON `fulfilments` BEGIN
	UPDATE `payment_items` SET (`result`, `result_at`, `tally`) = (SELECT `result`, `result_at`, `tally` FROM `item_results` WHERE `item_results`.`id` = `payment_items`.`id`)
	WHERE `id` = new.`payment_item_id`;
END;
--> statement-breakpoint
CREATE TRIGGER `result_of_payment` AFTER UPDATE OF `status` ON `payments` WHEN old.`status` <> new.`status` BEGIN
	UPDATE `payment_items` SET (`result`, `result_at`, `tally`) = (SELECT `result`, `result_at`, `tally` FROM `item_results` WHERE `item_results`.`id` = `payment_items`.`id`)
	WHERE `payment_id` = new.`id`;
END;
--> statement-breakpoint
CREATE TRIGGER `result_of_second_payment` AFTER UPDATE OF `status` ON `payments` WHEN old.`status` <> 'reversed' AND new.`status` = 'reversed' BEGIN
	UPDATE `payment_items` SET (`result`, `result_at`, `tally`) = (SELECT `result`, `result_at`, `tally` FROM `item_results` WHERE `item_results`.`id` = `payment_items`.`id`)
	WHERE `user_id` = new.`user_id` AND `certificate_number` IN (SELECT `certificate_number` FROM `payment_items` WHERE `payment_id` = new.`id`);
END;
--> statement-breakpoint
INSERT INTO `item_counters` (`day`, `result`, `total`)
SELECT date(`result_at` / 1000, 'unixepoch'), `result`, count(*) FROM `payment_items` WHERE `result_at` is not null GROUP BY 1, 2;
--> statement-breakpoint
CREATE TRIGGER `count_item` AFTER UPDATE OF `result`, `result_at` ON `payment_items` WHEN old.`result` <> new.`result` OR old.`result_at` is not new.`result_at` BEGIN
	UPDATE `item_counters` SET `total` = `total` - 1 WHERE old.`result_at` is not null AND `day` = date(old.`result_at` / 1000, 'unixepoch') AND `result` = old.`result`;
	INSERT INTO `item_counters` (`day`, `result`, `total`) SELECT date(new.`result_at` / 1000, 'unixepoch'), new.`result`, 1 WHERE new.`result_at` is not null
	ON CONFLICT (`day`, `result`) DO UPDATE SET `total` = `total` + 1;
END;
--> statement-breakpoint
INSERT INTO `user_counters` (`user_id`, `total`, `found`, `again`, `missed`, `spent_minor`)
SELECT `user_id`, count(*), sum(`tally` = 'found'), sum(`tally` = 'again'), sum(`tally` IN ('not_found', 'due')), sum((`tally` IN ('found', 'not_found')) * `amount_minor`) FROM `payment_items` GROUP BY `user_id`;
--> statement-breakpoint
CREATE TRIGGER `count_item_of_user` AFTER INSERT ON `payment_items` BEGIN
	INSERT INTO `user_counters` (`user_id`, `total`) VALUES (new.`user_id`, 1)
	ON CONFLICT (`user_id`) DO UPDATE SET `total` = `total` + 1;
END;
--> statement-breakpoint
CREATE TRIGGER `tally_item_of_user` AFTER UPDATE OF `tally` ON `payment_items` WHEN old.`tally` <> new.`tally` BEGIN
	INSERT INTO `user_counters` (`user_id`, `found`, `again`, `missed`, `spent_minor`) VALUES (
		new.`user_id`,
		(new.`tally` = 'found') - (old.`tally` = 'found'),
		(new.`tally` = 'again') - (old.`tally` = 'again'),
		(new.`tally` IN ('not_found', 'due')) - (old.`tally` IN ('not_found', 'due')),
		((new.`tally` IN ('found', 'not_found')) - (old.`tally` IN ('found', 'not_found'))) * new.`amount_minor`
	)
	ON CONFLICT (`user_id`) DO UPDATE SET `found` = `found` + excluded.`found`, `again` = `again` + excluded.`again`, `missed` = `missed` + excluded.`missed`, `spent_minor` = `spent_minor` + excluded.`spent_minor`;
END;
--> statement-breakpoint
INSERT INTO `payment_counters` (`day`, `status`, `total`, `due_minor`, `paid_minor`)
SELECT date(`created_at` / 1000, 'unixepoch'), `status`, count(*), sum(`amount_minor`), coalesce(sum(`amount_paid_minor`), 0) FROM `payments` GROUP BY 1, 2;
--> statement-breakpoint
CREATE TRIGGER `count_payment` AFTER INSERT ON `payments` BEGIN
	INSERT INTO `payment_counters` (`day`, `status`, `total`, `due_minor`, `paid_minor`) VALUES (date(new.`created_at` / 1000, 'unixepoch'), new.`status`, 1, new.`amount_minor`, coalesce(new.`amount_paid_minor`, 0))
	ON CONFLICT (`day`, `status`) DO UPDATE SET `total` = `total` + 1, `due_minor` = `due_minor` + excluded.`due_minor`, `paid_minor` = `paid_minor` + excluded.`paid_minor`;
END;
--> statement-breakpoint
CREATE TRIGGER `recount_payment` AFTER UPDATE OF `status`, `created_at`, `amount_minor`, `amount_paid_minor` ON `payments` WHEN old.`status` <> new.`status` OR old.`created_at` <> new.`created_at` OR old.`amount_minor` <> new.`amount_minor` OR old.`amount_paid_minor` is not new.`amount_paid_minor` BEGIN
	UPDATE `payment_counters` SET `total` = `total` - 1, `due_minor` = `due_minor` - old.`amount_minor`, `paid_minor` = `paid_minor` - coalesce(old.`amount_paid_minor`, 0) WHERE `day` = date(old.`created_at` / 1000, 'unixepoch') AND `status` = old.`status`;
	INSERT INTO `payment_counters` (`day`, `status`, `total`, `due_minor`, `paid_minor`) VALUES (date(new.`created_at` / 1000, 'unixepoch'), new.`status`, 1, new.`amount_minor`, coalesce(new.`amount_paid_minor`, 0))
	ON CONFLICT (`day`, `status`) DO UPDATE SET `total` = `total` + 1, `due_minor` = `due_minor` + excluded.`due_minor`, `paid_minor` = `paid_minor` + excluded.`paid_minor`;
END;
--> statement-breakpoint
INSERT INTO `ledger_counters` (`day`, `account`, `currency`, `entries`, `minor`)
SELECT date(`at` / 1000, 'unixepoch'), `account`, `currency`, count(*), sum(`amount_minor`) FROM `ledger_entries` GROUP BY 1, 2, 3;
--> statement-breakpoint
CREATE TRIGGER `count_ledger_entry` AFTER INSERT ON `ledger_entries` BEGIN
	INSERT INTO `ledger_counters` (`day`, `account`, `currency`, `entries`, `minor`) VALUES (date(new.`at` / 1000, 'unixepoch'), new.`account`, new.`currency`, 1, new.`amount_minor`)
	ON CONFLICT (`day`, `account`, `currency`) DO UPDATE SET `entries` = `entries` + 1, `minor` = `minor` + excluded.`minor`;
END;
--> statement-breakpoint
INSERT INTO `account_counters` (`role`, `is_enabled`, `is_verified`, `is_erased`, `total`)
SELECT `role`, `is_enabled`, `verified_at` is not null, `erased_at` is not null, count(*) FROM `users` GROUP BY 1, 2, 3, 4;
--> statement-breakpoint
CREATE TRIGGER `count_account` AFTER INSERT ON `users` BEGIN
	INSERT INTO `account_counters` (`role`, `is_enabled`, `is_verified`, `is_erased`, `total`) VALUES (new.`role`, new.`is_enabled`, new.`verified_at` is not null, new.`erased_at` is not null, 1)
	ON CONFLICT (`role`, `is_enabled`, `is_verified`, `is_erased`) DO UPDATE SET `total` = `total` + 1;
END;
--> statement-breakpoint
CREATE TRIGGER `uncount_account` AFTER DELETE ON `users` BEGIN
	UPDATE `account_counters` SET `total` = `total` - 1 WHERE `role` = old.`role` AND `is_enabled` = old.`is_enabled` AND `is_verified` = (old.`verified_at` is not null) AND `is_erased` = (old.`erased_at` is not null);
END;
--> statement-breakpoint
CREATE TRIGGER `recount_account` AFTER UPDATE OF `role`, `is_enabled`, `verified_at`, `erased_at` ON `users` BEGIN
	UPDATE `account_counters` SET `total` = `total` - 1 WHERE `role` = old.`role` AND `is_enabled` = old.`is_enabled` AND `is_verified` = (old.`verified_at` is not null) AND `is_erased` = (old.`erased_at` is not null);
	INSERT INTO `account_counters` (`role`, `is_enabled`, `is_verified`, `is_erased`, `total`) VALUES (new.`role`, new.`is_enabled`, new.`verified_at` is not null, new.`erased_at` is not null, 1)
	ON CONFLICT (`role`, `is_enabled`, `is_verified`, `is_erased`) DO UPDATE SET `total` = `total` + 1;
END;
--> statement-breakpoint
INSERT INTO `certificate_blocks` (`block`, `standing`)
SELECT `seq` / 4096, count(*) FROM `certificates` WHERE `withdrawn_at` is null GROUP BY 1;
--> statement-breakpoint
CREATE TRIGGER `count_in_block` AFTER INSERT ON `certificates` WHEN new.`withdrawn_at` is null BEGIN
	INSERT INTO `certificate_blocks` (`block`, `standing`) VALUES (new.`seq` / 4096, 1)
	ON CONFLICT (`block`) DO UPDATE SET `standing` = `standing` + 1;
END;
--> statement-breakpoint
CREATE TRIGGER `uncount_in_block` AFTER DELETE ON `certificates` WHEN old.`withdrawn_at` is null BEGIN
	UPDATE `certificate_blocks` SET `standing` = `standing` - 1 WHERE `block` = old.`seq` / 4096;
END;
--> statement-breakpoint
CREATE TRIGGER `recount_in_block` AFTER UPDATE OF `withdrawn_at` ON `certificates` WHEN (old.`withdrawn_at` is null) <> (new.`withdrawn_at` is null) BEGIN
	INSERT INTO `certificate_blocks` (`block`, `standing`) VALUES (new.`seq` / 4096, iif(new.`withdrawn_at` is null, 1, -1))
	ON CONFLICT (`block`) DO UPDATE SET `standing` = `standing` + excluded.`standing`;
END;
--> statement-breakpoint
CREATE TABLE `ranked_before` AS SELECT * FROM `ranked_counters`;
--> statement-breakpoint
DROP TRIGGER `rank_course`;
--> statement-breakpoint
DROP TRIGGER `rank_organisation`;
--> statement-breakpoint
DROP TRIGGER `rank_revenue`;
--> statement-breakpoint
DROP TABLE `ranked_counters`;
--> statement-breakpoint
CREATE TABLE `ranked_counters` (
	`kind` text NOT NULL,
	`unit` text NOT NULL,
	`period` text NOT NULL,
	`name` text COLLATE NOCASE NOT NULL,
	`verifications` integer DEFAULT 0 NOT NULL,
	`successful` integer DEFAULT 0 NOT NULL,
	`revenue_minor` integer DEFAULT 0 NOT NULL,
	PRIMARY KEY(`kind`, `unit`, `period`, `name`)
) WITHOUT ROWID;
--> statement-breakpoint
INSERT INTO `ranked_counters` SELECT `kind`, `unit`, `period`, `name`, `verifications`, `successful`, `revenue_minor` FROM `ranked_before`
UNION ALL SELECT `kind`, 'all', '', min(`name`), sum(`verifications`), sum(`successful`), sum(`revenue_minor`) FROM `ranked_before` WHERE `unit` = 'year' GROUP BY `kind`, `name` COLLATE NOCASE;
--> statement-breakpoint
DROP TABLE `ranked_before`;
--> statement-breakpoint
CREATE TRIGGER `rank_course` AFTER INSERT ON `fulfilments` WHEN new.outcome = 'verified' BEGIN
	INSERT INTO `ranked_counters` (`kind`, `unit`, `period`, `name`, `verifications`, `successful`)
	SELECT 'course', `unit`, substr(date(new.at / 1000, 'unixepoch'), 1, `length`), trim(coalesce(json_extract(new.snapshot, '$.course'), '')), 1, 1
	FROM (SELECT 'day' AS `unit`, 10 AS `length` UNION ALL SELECT 'month', 7 UNION ALL SELECT 'year', 4 UNION ALL SELECT 'all', 0) WHERE true
	ON CONFLICT (`kind`, `unit`, `period`, `name`) DO UPDATE SET `verifications` = `verifications` + 1, `successful` = `successful` + 1;
END;
--> statement-breakpoint
CREATE TRIGGER `rank_organisation` AFTER INSERT ON `fulfilments` WHEN new.outcome <> 'refund_due' BEGIN
	INSERT INTO `ranked_counters` (`kind`, `unit`, `period`, `name`, `verifications`, `successful`)
	SELECT 'organisation', `unit`, substr(date(new.at / 1000, 'unixepoch'), 1, `length`), coalesce((SELECT trim(substr(`address`, 1, instr(`address` || ',', ',') - 1)) FROM `users` WHERE `id` = new.user_id), ''), 1, new.outcome = 'verified'
	FROM (SELECT 'day' AS `unit`, 10 AS `length` UNION ALL SELECT 'month', 7 UNION ALL SELECT 'year', 4 UNION ALL SELECT 'all', 0) WHERE true
	ON CONFLICT (`kind`, `unit`, `period`, `name`) DO UPDATE SET `verifications` = `verifications` + 1, `successful` = `successful` + excluded.successful;
END;
--> statement-breakpoint
CREATE TRIGGER `rank_revenue` AFTER INSERT ON `ledger_entries` WHEN new.account = 'revenue' BEGIN
	INSERT INTO `ranked_counters` (`kind`, `unit`, `period`, `name`, `revenue_minor`)
	SELECT 'organisation', `unit`, substr(date(new.at / 1000, 'unixepoch'), 1, `length`), coalesce((SELECT trim(substr(`address`, 1, instr(`address` || ',', ',') - 1)) FROM `users` WHERE `id` = (SELECT `user_id` FROM `payments` WHERE `id` = new.payment_id)), ''), -new.amount_minor
	FROM (SELECT 'day' AS `unit`, 10 AS `length` UNION ALL SELECT 'month', 7 UNION ALL SELECT 'year', 4 UNION ALL SELECT 'all', 0) WHERE true
	ON CONFLICT (`kind`, `unit`, `period`, `name`) DO UPDATE SET `revenue_minor` = `revenue_minor` + excluded.revenue_minor;
END;
--> statement-breakpoint
CREATE VIRTUAL TABLE `activity_search` USING fts5(`activity`, `details`, `user_email`, content='activity_log', content_rowid='id', columnsize=0, prefix='2', tokenize='unicode61 remove_diacritics 2');
--> statement-breakpoint
INSERT INTO `activity_search` (`activity_search`) VALUES ('rebuild');
--> statement-breakpoint
CREATE TRIGGER `index_activity` AFTER INSERT ON `activity_log` BEGIN
	INSERT INTO `activity_search` (rowid, `activity`, `details`, `user_email`) VALUES (new.`id`, new.`activity`, new.`details`, new.`user_email`);
END;
--> statement-breakpoint
CREATE TRIGGER `reindex_activity` AFTER UPDATE OF `user_email`, `details` ON `activity_log` WHEN old.`user_email` is not new.`user_email` OR old.`details` <> new.`details` BEGIN
	INSERT INTO `activity_search` (`activity_search`, rowid, `activity`, `details`, `user_email`) VALUES ('delete', old.`id`, old.`activity`, old.`details`, old.`user_email`);
	INSERT INTO `activity_search` (rowid, `activity`, `details`, `user_email`) VALUES (new.`id`, new.`activity`, new.`details`, new.`user_email`);
END;
--> statement-breakpoint
CREATE VIRTUAL TABLE `user_word_search` USING fts5(`folded`, content='user_texts', content_rowid='seq', columnsize=0, detail='none', prefix='1 2', tokenize='unicode61');
--> statement-breakpoint
INSERT INTO `user_word_search` (`user_word_search`) VALUES ('rebuild');
--> statement-breakpoint
DROP TRIGGER `index_user_text`;
--> statement-breakpoint
DROP TRIGGER `unindex_user_text`;
--> statement-breakpoint
DROP TRIGGER `reindex_user_text`;
--> statement-breakpoint
CREATE TRIGGER `index_user_text` AFTER INSERT ON `user_texts` BEGIN
	INSERT INTO `user_search` (rowid, `folded`) VALUES (new.seq, new.folded);
	INSERT INTO `user_word_search` (rowid, `folded`) VALUES (new.seq, new.folded);
END;
--> statement-breakpoint
CREATE TRIGGER `unindex_user_text` AFTER DELETE ON `user_texts` BEGIN
	INSERT INTO `user_search` (`user_search`, rowid, `folded`) VALUES ('delete', old.seq, old.folded);
	INSERT INTO `user_word_search` (`user_word_search`, rowid, `folded`) VALUES ('delete', old.seq, old.folded);
END;
--> statement-breakpoint
CREATE TRIGGER `reindex_user_text` AFTER UPDATE OF `folded` ON `user_texts` WHEN old.folded <> new.folded BEGIN
	INSERT INTO `user_search` (`user_search`, rowid, `folded`) VALUES ('delete', old.seq, old.folded);
	INSERT INTO `user_search` (rowid, `folded`) VALUES (new.seq, new.folded);
	INSERT INTO `user_word_search` (`user_word_search`, rowid, `folded`) VALUES ('delete', old.seq, old.folded);
	INSERT INTO `user_word_search` (rowid, `folded`) VALUES (new.seq, new.folded);
END;
