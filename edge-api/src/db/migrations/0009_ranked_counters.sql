CREATE TABLE `user_texts` (
	`seq` integer PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`folded` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `user_texts_user_id_unique` ON `user_texts` (`user_id`);--> statement-breakpoint
CREATE TABLE `activity_counters` (
	`unit` text NOT NULL,
	`period` text NOT NULL,
	`user_id` text NOT NULL,
	`type` text NOT NULL,
	`status` text NOT NULL,
	`total` integer NOT NULL,
	PRIMARY KEY(`unit`, `period`, `user_id`, `type`, `status`)
);
--> statement-breakpoint
CREATE INDEX `activity_counters_by_user` ON `activity_counters` (`user_id`);--> statement-breakpoint
CREATE TABLE `ranked_counters` (
	`kind` text NOT NULL,
	`unit` text NOT NULL,
	`period` text NOT NULL,
	`name` text COLLATE NOCASE NOT NULL,
	`verifications` integer DEFAULT 0 NOT NULL,
	`successful` integer DEFAULT 0 NOT NULL,
	`revenue_minor` integer DEFAULT 0 NOT NULL,
	PRIMARY KEY(`kind`, `unit`, `period`, `name`)
);
--> statement-breakpoint
CREATE INDEX `certificates_withdrawn` ON `certificates` (`withdrawn_at`) WHERE withdrawn_at is not null;
--> statement-breakpoint
CREATE TRIGGER `rank_course` AFTER INSERT ON `fulfilments` WHEN new.outcome = 'verified' BEGIN
	INSERT INTO `ranked_counters` (`kind`, `unit`, `period`, `name`, `verifications`, `successful`)
	SELECT 'course', `unit`, substr(date(new.at / 1000, 'unixepoch'), 1, `length`), trim(coalesce(json_extract(new.snapshot, '$.course'), '')), 1, 1
	FROM (SELECT 'day' AS `unit`, 10 AS `length` UNION ALL SELECT 'month', 7 UNION ALL SELECT 'year', 4) WHERE true
	ON CONFLICT (`kind`, `unit`, `period`, `name`) DO UPDATE SET `verifications` = `verifications` + 1, `successful` = `successful` + 1;
END;
--> statement-breakpoint
CREATE TRIGGER `rank_organisation` AFTER INSERT ON `fulfilments` WHEN new.outcome <> 'refund_due' BEGIN
	INSERT INTO `ranked_counters` (`kind`, `unit`, `period`, `name`, `verifications`, `successful`)
	SELECT 'organisation', `unit`, substr(date(new.at / 1000, 'unixepoch'), 1, `length`), coalesce((SELECT trim(substr(`address`, 1, instr(`address` || ',', ',') - 1)) FROM `users` WHERE `id` = new.user_id), ''), 1, new.outcome = 'verified'
	FROM (SELECT 'day' AS `unit`, 10 AS `length` UNION ALL SELECT 'month', 7 UNION ALL SELECT 'year', 4) WHERE true
	ON CONFLICT (`kind`, `unit`, `period`, `name`) DO UPDATE SET `verifications` = `verifications` + 1, `successful` = `successful` + excluded.successful;
END;
--> statement-breakpoint
CREATE TRIGGER `rank_revenue` AFTER INSERT ON `ledger_entries` WHEN new.account = 'revenue' BEGIN
	INSERT INTO `ranked_counters` (`kind`, `unit`, `period`, `name`, `revenue_minor`)
	SELECT 'organisation', `unit`, substr(date(new.at / 1000, 'unixepoch'), 1, `length`), coalesce((SELECT trim(substr(`address`, 1, instr(`address` || ',', ',') - 1)) FROM `users` WHERE `id` = (SELECT `user_id` FROM `payments` WHERE `id` = new.payment_id)), ''), -new.amount_minor
	FROM (SELECT 'day' AS `unit`, 10 AS `length` UNION ALL SELECT 'month', 7 UNION ALL SELECT 'year', 4) WHERE true
	ON CONFLICT (`kind`, `unit`, `period`, `name`) DO UPDATE SET `revenue_minor` = `revenue_minor` + excluded.revenue_minor;
END;
--> statement-breakpoint
INSERT INTO `ranked_counters` (`kind`, `unit`, `period`, `name`, `verifications`, `successful`, `revenue_minor`)
SELECT `kind`, `unit`, substr(`day`, 1, `length`), min(`name`), sum(`verifications`), sum(`successful`), sum(`revenue`) FROM (
	SELECT 'course' AS `kind`, date(`at` / 1000, 'unixepoch') AS `day`, trim(coalesce(json_extract(`snapshot`, '$.course'), '')) AS `name`, 1 AS `verifications`, 1 AS `successful`, 0 AS `revenue` FROM `fulfilments` WHERE `outcome` = 'verified'
	UNION ALL SELECT 'organisation', date(f.`at` / 1000, 'unixepoch'), coalesce(trim(substr(u.`address`, 1, instr(u.`address` || ',', ',') - 1)), ''), 1, f.`outcome` = 'verified', 0 FROM `fulfilments` f LEFT JOIN `users` u ON u.`id` = f.`user_id` WHERE f.`outcome` <> 'refund_due'
	UNION ALL SELECT 'organisation', date(l.`at` / 1000, 'unixepoch'), coalesce(trim(substr(u.`address`, 1, instr(u.`address` || ',', ',') - 1)), ''), 0, 0, -l.`amount_minor` FROM `ledger_entries` l JOIN `payments` p ON p.`id` = l.`payment_id` LEFT JOIN `users` u ON u.`id` = p.`user_id` WHERE l.`account` = 'revenue'
), (SELECT 'day' AS `unit`, 10 AS `length` UNION ALL SELECT 'month', 7 UNION ALL SELECT 'year', 4)
GROUP BY `kind`, `unit`, substr(`day`, 1, `length`), `name` COLLATE NOCASE;
--> statement-breakpoint
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
INSERT INTO `activity_counters` (`unit`, `period`, `user_id`, `type`, `status`, `total`)
SELECT `unit`, substr(`day`, 1, `length`), `user_id`, `type`, `status`, sum(`total`) FROM (
	SELECT date(`at` / 1000, 'unixepoch') AS `day`, '' AS `user_id`, coalesce(`type`, '') AS `type`, coalesce(`status`, '') AS `status`, count(*) AS `total` FROM `activity_log` GROUP BY 1, 3, 4
	UNION ALL SELECT date(`at` / 1000, 'unixepoch'), `user_id`, coalesce(`type`, ''), coalesce(`status`, ''), count(*) FROM `activity_log` WHERE `user_id` is not null AND `user_id` NOT IN (SELECT `id` FROM `users` WHERE `role` = 'user') GROUP BY 1, 2, 3, 4
), (SELECT 'day' AS `unit`, 10 AS `length` UNION ALL SELECT 'month', 7 UNION ALL SELECT 'year', 4)
GROUP BY 1, 2, 3, 4, 5;
--> statement-breakpoint
INSERT INTO `user_texts` (`user_id`, `folded`)
SELECT `id`, lower(`email` || char(10) || `firstname` || ' ' || `lastname` || coalesce(char(10) || `firstname` || ' ' || `middlename` || ' ' || `lastname`, '')) FROM `users` ORDER BY `created_at`, `id`;
--> statement-breakpoint
UPDATE `user_texts` SET `folded` = replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(`folded`, 'à', 'a'), 'á', 'a'), 'ā', 'a'), 'ạ', 'a'), 'ȧ', 'a'), 'ǎ', 'a'), 'â', 'a'), 'À', 'a'), 'Á', 'a'), 'Ā', 'a'), 'Ạ', 'a'), 'Ȧ', 'a');
--> statement-breakpoint
UPDATE `user_texts` SET `folded` = replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(`folded`, 'Ǎ', 'a'), 'Â', 'a'), 'è', 'e'), 'é', 'e'), 'ē', 'e'), 'ẹ', 'e'), 'ė', 'e'), 'ě', 'e'), 'ê', 'e'), 'È', 'e'), 'É', 'e'), 'Ē', 'e');
--> statement-breakpoint
UPDATE `user_texts` SET `folded` = replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(`folded`, 'Ẹ', 'e'), 'Ė', 'e'), 'Ě', 'e'), 'Ê', 'e'), 'ì', 'i'), 'í', 'i'), 'ī', 'i'), 'ị', 'i'), 'ǐ', 'i'), 'î', 'i'), 'Ì', 'i'), 'Í', 'i');
--> statement-breakpoint
UPDATE `user_texts` SET `folded` = replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(`folded`, 'Ī', 'i'), 'Ị', 'i'), 'İ', 'i'), 'Ǐ', 'i'), 'Î', 'i'), 'ò', 'o'), 'ó', 'o'), 'ō', 'o'), 'ọ', 'o'), 'ȯ', 'o'), 'ǒ', 'o'), 'ô', 'o');
--> statement-breakpoint
UPDATE `user_texts` SET `folded` = replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(`folded`, 'Ò', 'o'), 'Ó', 'o'), 'Ō', 'o'), 'Ọ', 'o'), 'Ȯ', 'o'), 'Ǒ', 'o'), 'Ô', 'o'), 'ù', 'u'), 'ú', 'u'), 'ū', 'u'), 'ụ', 'u'), 'ǔ', 'u');
--> statement-breakpoint
UPDATE `user_texts` SET `folded` = replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(`folded`, 'û', 'u'), 'Ù', 'u'), 'Ú', 'u'), 'Ū', 'u'), 'Ụ', 'u'), 'Ǔ', 'u'), 'Û', 'u'), 'ǹ', 'n'), 'ń', 'n'), 'ṇ', 'n'), 'ṅ', 'n'), 'ň', 'n');
--> statement-breakpoint
UPDATE `user_texts` SET `folded` = replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(`folded`, 'Ǹ', 'n'), 'Ń', 'n'), 'Ṇ', 'n'), 'Ṅ', 'n'), 'Ň', 'n'), 'ś', 's'), 'ṣ', 's'), 'ṡ', 's'), 'š', 's'), 'ŝ', 's'), 'Ś', 's'), 'Ṣ', 's');
--> statement-breakpoint
UPDATE `user_texts` SET `folded` = replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(`folded`, 'Ṡ', 's'), 'Š', 's'), 'Ŝ', 's'), 'ḿ', 'm'), 'ṃ', 'm'), 'ṁ', 'm'), 'Ḿ', 'm'), 'Ṃ', 'm'), 'Ṁ', 'm'), 'ǵ', 'g'), 'ḡ', 'g'), 'ġ', 'g');
--> statement-breakpoint
UPDATE `user_texts` SET `folded` = replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(`folded`, 'ǧ', 'g'), 'ĝ', 'g'), 'Ǵ', 'g'), 'Ḡ', 'g'), 'Ġ', 'g'), 'Ǧ', 'g'), 'Ĝ', 'g'), char(768), ''), char(769), ''), char(772), ''), char(803), ''), char(775), '');
--> statement-breakpoint
UPDATE `user_texts` SET `folded` = replace(replace(`folded`, char(780), ''), char(770), '');
--> statement-breakpoint
CREATE VIRTUAL TABLE `user_search` USING fts5(`folded`, content='user_texts', content_rowid='seq', columnsize=0, tokenize='trigram');
--> statement-breakpoint
INSERT INTO `user_search` (`user_search`) VALUES ('rebuild');
--> statement-breakpoint
CREATE TRIGGER `index_user_text` AFTER INSERT ON `user_texts` BEGIN
	INSERT INTO `user_search` (rowid, `folded`) VALUES (new.seq, new.folded);
END;
--> statement-breakpoint
CREATE TRIGGER `unindex_user_text` AFTER DELETE ON `user_texts` BEGIN
	INSERT INTO `user_search` (`user_search`, rowid, `folded`) VALUES ('delete', old.seq, old.folded);
END;
--> statement-breakpoint
CREATE TRIGGER `reindex_user_text` AFTER UPDATE OF `folded` ON `user_texts` WHEN old.folded <> new.folded BEGIN
	INSERT INTO `user_search` (`user_search`, rowid, `folded`) VALUES ('delete', old.seq, old.folded);
	INSERT INTO `user_search` (rowid, `folded`) VALUES (new.seq, new.folded);
END;
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
