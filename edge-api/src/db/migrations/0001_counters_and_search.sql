-- Counters and search indexes, all the triggers there are. They never decide what a payment, a letter or a certificate
-- is: rules are TypeScript. `npm test` recounts every counter after random histories (test/recount.ts).

-- Full-text indexes over text that other tables hold. FTS5 reads their content at the time of the change, with the
-- values before it, which only a trigger has at hand.
CREATE VIRTUAL TABLE `certificate_search` USING fts5(`folded`, content='certificates', content_rowid='seq', columnsize=0, tokenize='trigram');
--> statement-breakpoint
CREATE TRIGGER `index_certificate` AFTER INSERT ON `certificates` BEGIN
	INSERT INTO `certificate_search` (rowid, `folded`) VALUES (new.seq, new.folded);
END;
--> statement-breakpoint
CREATE TRIGGER `unindex_certificate` AFTER DELETE ON `certificates` BEGIN
	INSERT INTO `certificate_search` (`certificate_search`, rowid, `folded`) VALUES ('delete', old.seq, old.folded);
END;
--> statement-breakpoint
CREATE TRIGGER `reindex_certificate` AFTER UPDATE OF `folded` ON `certificates` WHEN old.folded <> new.folded BEGIN
	INSERT INTO `certificate_search` (`certificate_search`, rowid, `folded`) VALUES ('delete', old.seq, old.folded);
	INSERT INTO `certificate_search` (rowid, `folded`) VALUES (new.seq, new.folded);
END;
--> statement-breakpoint
CREATE VIRTUAL TABLE `user_search` USING fts5(`folded`, content='user_texts', content_rowid='seq', columnsize=0, tokenize='trigram');
--> statement-breakpoint
CREATE VIRTUAL TABLE `user_word_search` USING fts5(`folded`, content='user_texts', content_rowid='seq', columnsize=0, detail='none', prefix='1 2', tokenize='unicode61');
--> statement-breakpoint
CREATE TRIGGER `write_user_text` AFTER INSERT ON `users` BEGIN
	INSERT INTO `user_texts` (`user_id`, `folded`) VALUES (new.id, lower(new.email || char(10) || new.firstname || ' ' || new.lastname || coalesce(char(10) || new.firstname || ' ' || new.middlename || ' ' || new.lastname, '')));
END;
--> statement-breakpoint
CREATE TRIGGER `rewrite_user_text` AFTER UPDATE OF `email`, `firstname`, `middlename`, `lastname` ON `users` WHEN new.email <> old.email OR new.firstname <> old.firstname OR new.middlename is not old.middlename OR new.lastname <> old.lastname BEGIN
	UPDATE `user_texts` SET `folded` = lower(new.email || char(10) || new.firstname || ' ' || new.lastname || coalesce(char(10) || new.firstname || ' ' || new.middlename || ' ' || new.lastname, '')) WHERE `user_id` = new.id;
END;
--> statement-breakpoint
CREATE TRIGGER `erase_user_text` AFTER DELETE ON `users` BEGIN
	DELETE FROM `user_texts` WHERE `user_id` = old.id;
END;
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
--> statement-breakpoint
CREATE VIRTUAL TABLE `activity_search` USING fts5(`activity`, `details`, `user_email`, content='activity_log', content_rowid='id', columnsize=0, prefix='2', tokenize='unicode61 remove_diacritics 2');
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
-- The audit log only grows, and a sealed entry can only lose its personal values. A guard, not a rule: it also holds for
-- a statement that a person types into a database shell.
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
-- Counters of certificates. An upload writes a million rows with statements of 200 each; a counter statement for each
-- would double the calls to the engine.
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
-- Counters of accounts.
CREATE TRIGGER `count_user` AFTER INSERT ON `users` BEGIN
	INSERT INTO `daily_counters` (`day`, `users`) VALUES (date(new.created_at / 1000, 'unixepoch'), 1)
	ON CONFLICT (`day`) DO UPDATE SET `users` = `users` + 1;
END;
--> statement-breakpoint
CREATE TRIGGER `uncount_user` AFTER DELETE ON `users` BEGIN
	UPDATE `daily_counters` SET `users` = `users` - 1 WHERE `day` = date(old.created_at / 1000, 'unixepoch');
END;
--> statement-breakpoint
CREATE TRIGGER `uncount_erased_user` AFTER UPDATE OF `erased_at` ON `users` WHEN old.erased_at is null AND new.erased_at is not null BEGIN
	UPDATE `daily_counters` SET `users` = `users` - 1 WHERE `day` = date(new.created_at / 1000, 'unixepoch');
END;
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
--> statement-breakpoint
-- Counters of payments, their items and the ledger. On a database server each statement is a round trip, and a payment
-- would need nine more of them. What an item counts as is decided in payments/item-results.ts.
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
CREATE TRIGGER `count_new_item` AFTER INSERT ON `payment_items` BEGIN
	INSERT INTO `item_counters` (`day`, `result`, `total`) VALUES (date(new.`result_at` / 1000, 'unixepoch'), new.`result`, 1)
	ON CONFLICT (`day`, `result`) DO UPDATE SET `total` = `total` + 1;
END;
--> statement-breakpoint
CREATE TRIGGER `count_item` AFTER UPDATE OF `result`, `result_at` ON `payment_items` WHEN old.`result` <> new.`result` OR old.`result_at` <> new.`result_at` BEGIN
	UPDATE `item_counters` SET `total` = `total` - 1 WHERE `day` = date(old.`result_at` / 1000, 'unixepoch') AND `result` = old.`result`;
	INSERT INTO `item_counters` (`day`, `result`, `total`) VALUES (date(new.`result_at` / 1000, 'unixepoch'), new.`result`, 1)
	ON CONFLICT (`day`, `result`) DO UPDATE SET `total` = `total` + 1;
END;
--> statement-breakpoint
CREATE TRIGGER `count_item_of_user` AFTER INSERT ON `payment_items` BEGIN
	INSERT INTO `user_counters` (`user_id`, `total`, `found`, `again`, `missed`, `spent_minor`) VALUES (
		new.`user_id`, 1, new.`tally` = 'found', new.`tally` = 'again', new.`tally` IN ('not_found', 'due'),
		(new.`tally` IN ('found', 'not_found')) * new.`amount_minor`
	)
	ON CONFLICT (`user_id`) DO UPDATE SET `total` = `total` + 1, `found` = `found` + excluded.`found`, `again` = `again` + excluded.`again`, `missed` = `missed` + excluded.`missed`, `spent_minor` = `spent_minor` + excluded.`spent_minor`;
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
CREATE TRIGGER `count_ledger_entry` AFTER INSERT ON `ledger_entries` BEGIN
	INSERT INTO `ledger_counters` (`day`, `account`, `currency`, `entries`, `minor`) VALUES (date(new.`at` / 1000, 'unixepoch'), new.`account`, new.`currency`, 1, new.`amount_minor`)
	ON CONFLICT (`day`, `account`, `currency`) DO UPDATE SET `entries` = `entries` + 1, `minor` = `minor` + excluded.`minor`;
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
-- Counters of the audit log, for its filters.
CREATE TRIGGER `count_activity` AFTER INSERT ON `activity_log` BEGIN
	INSERT INTO `activity_counters` (`unit`, `period`, `user_id`, `type`, `status`, `total`)
	SELECT `unit`, substr(date(new.at / 1000, 'unixepoch'), 1, `length`), '', coalesce(new.type, ''), coalesce(new.status, ''), 1
	FROM (SELECT 'day' AS `unit`, 10 AS `length` UNION ALL SELECT 'month', 7 UNION ALL SELECT 'year', 4) WHERE true
	ON CONFLICT (`unit`, `period`, `user_id`, `type`, `status`) DO UPDATE SET `total` = `total` + 1;
	INSERT INTO `activity_counters` (`unit`, `period`, `user_id`, `type`, `status`, `total`)
	SELECT `unit`, substr(date(new.at / 1000, 'unixepoch'), 1, `length`), new.user_id, coalesce(new.type, ''), coalesce(new.status, ''), 1
	FROM (SELECT 'day' AS `unit`, 10 AS `length` UNION ALL SELECT 'month', 7 UNION ALL SELECT 'year', 4)
	WHERE new.user_id is not null AND NOT EXISTS (SELECT 1 FROM `users` WHERE `id` = new.user_id AND `role` = 'user')
	ON CONFLICT (`unit`, `period`, `user_id`, `type`, `status`) DO UPDATE SET `total` = `total` + 1;
END;
--> statement-breakpoint
CREATE TRIGGER `hide_activity` AFTER UPDATE OF `role` ON `users` WHEN old.role = 'user' AND new.role <> 'user' BEGIN
	INSERT INTO `activity_counters` (`unit`, `period`, `user_id`, `type`, `status`, `total`)
	SELECT `unit`, substr(date(`at` / 1000, 'unixepoch'), 1, `length`), new.id, coalesce(`type`, ''), coalesce(`status`, ''), count(*)
	FROM `activity_log`, (SELECT 'day' AS `unit`, 10 AS `length` UNION ALL SELECT 'month', 7 UNION ALL SELECT 'year', 4)
	WHERE `user_id` = new.id GROUP BY 1, 2, 4, 5;
END;
--> statement-breakpoint
CREATE TRIGGER `hide_activity_of_deleted` AFTER DELETE ON `users` WHEN old.role = 'user' BEGIN
	INSERT INTO `activity_counters` (`unit`, `period`, `user_id`, `type`, `status`, `total`)
	SELECT `unit`, substr(date(`at` / 1000, 'unixepoch'), 1, `length`), old.id, coalesce(`type`, ''), coalesce(`status`, ''), count(*)
	FROM `activity_log`, (SELECT 'day' AS `unit`, 10 AS `length` UNION ALL SELECT 'month', 7 UNION ALL SELECT 'year', 4)
	WHERE `user_id` = old.id GROUP BY 1, 2, 4, 5;
END;
--> statement-breakpoint
CREATE TRIGGER `show_activity` AFTER UPDATE OF `role` ON `users` WHEN old.role <> 'user' AND new.role = 'user' BEGIN
	DELETE FROM `activity_counters` WHERE `user_id` = new.id;
END;
--> statement-breakpoint
CREATE TRIGGER `show_activity_of_new` AFTER INSERT ON `users` WHEN new.role = 'user' BEGIN
	DELETE FROM `activity_counters` WHERE `user_id` = new.id;
END;
--> statement-breakpoint
-- The counter that tells a replica how far it must have followed.
INSERT INTO `write_counter` (`id`, `writes`) VALUES (1, 0);
