CREATE TABLE `upload_reports` (
	`upload_seq` integer NOT NULL,
	`last_id` integer NOT NULL,
	`rows` text NOT NULL,
	PRIMARY KEY(`upload_seq`, `last_id`)
);
--> statement-breakpoint
CREATE TABLE `upload_rows` (
	`id` integer PRIMARY KEY NOT NULL,
	`line` integer NOT NULL,
	`certificate_number` text NOT NULL,
	`student_name` text NOT NULL,
	`matric_number` text,
	`course` text NOT NULL,
	`graduation_date` text NOT NULL,
	`grade` text NOT NULL,
	`department` text NOT NULL,
	`folded` text,
	`first_id` integer,
	`outcome` text,
	`changes` text,
	`error` text
);
--> statement-breakpoint
CREATE TABLE `uploads` (
	`seq` integer PRIMARY KEY NOT NULL,
	`id` text NOT NULL,
	`uploader_id` text NOT NULL,
	`uploader_email` text NOT NULL,
	`filename` text NOT NULL,
	`dry_run` integer NOT NULL,
	`on_conflict` text NOT NULL,
	`state` text NOT NULL,
	`total` integer,
	`processed` integer DEFAULT 0 NOT NULL,
	`created` integer DEFAULT 0 NOT NULL,
	`updated` integer DEFAULT 0 NOT NULL,
	`unchanged` integer DEFAULT 0 NOT NULL,
	`failed` integer DEFAULT 0 NOT NULL,
	`error` text,
	`cancel_requested` integer DEFAULT false NOT NULL,
	`lease_until` integer,
	`untidy` integer DEFAULT true NOT NULL,
	`created_at` integer NOT NULL,
	`finished_at` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `uploads_id_unique` ON `uploads` (`id`);--> statement-breakpoint
CREATE INDEX `uploads_open` ON `uploads` (`lease_until`) WHERE untidy;--> statement-breakpoint
CREATE TABLE `__new_certificates` (
	`seq` integer PRIMARY KEY NOT NULL,
	`id` text NOT NULL,
	`certificate_number` text NOT NULL,
	`student_name` text NOT NULL,
	`matric_number` text,
	`course` text NOT NULL,
	`graduation_date` text NOT NULL,
	`grade` text NOT NULL,
	`department` text NOT NULL,
	`uploader_email` text,
	`uploaded_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`withdrawn_at` integer,
	`folded` text NOT NULL
);
--> statement-breakpoint
INSERT INTO `__new_certificates` (`id`, `certificate_number`, `student_name`, `matric_number`, `course`, `graduation_date`, `grade`, `department`, `uploader_email`, `uploaded_at`, `updated_at`, `withdrawn_at`, `folded`)
SELECT `id`, `certificate_number`, `student_name`, `matric_number`, `course`, `graduation_date`, `grade`, `department`, `uploader_email`, `uploaded_at`, `updated_at`, `withdrawn_at`, iif(`withdrawn_at` is null, lower(`certificate_number` || char(10) || `student_name` || char(10) || `course`), '') FROM `certificates` ORDER BY `uploaded_at`, `id`;
--> statement-breakpoint
UPDATE `__new_certificates` SET `folded` = replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(`folded`, 'à', 'a'), 'á', 'a'), 'ā', 'a'), 'ạ', 'a'), 'ȧ', 'a'), 'ǎ', 'a'), 'â', 'a'), 'À', 'a'), 'Á', 'a'), 'Ā', 'a'), 'Ạ', 'a'), 'Ȧ', 'a');
--> statement-breakpoint
UPDATE `__new_certificates` SET `folded` = replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(`folded`, 'Ǎ', 'a'), 'Â', 'a'), 'è', 'e'), 'é', 'e'), 'ē', 'e'), 'ẹ', 'e'), 'ė', 'e'), 'ě', 'e'), 'ê', 'e'), 'È', 'e'), 'É', 'e'), 'Ē', 'e');
--> statement-breakpoint
UPDATE `__new_certificates` SET `folded` = replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(`folded`, 'Ẹ', 'e'), 'Ė', 'e'), 'Ě', 'e'), 'Ê', 'e'), 'ì', 'i'), 'í', 'i'), 'ī', 'i'), 'ị', 'i'), 'ǐ', 'i'), 'î', 'i'), 'Ì', 'i'), 'Í', 'i');
--> statement-breakpoint
UPDATE `__new_certificates` SET `folded` = replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(`folded`, 'Ī', 'i'), 'Ị', 'i'), 'İ', 'i'), 'Ǐ', 'i'), 'Î', 'i'), 'ò', 'o'), 'ó', 'o'), 'ō', 'o'), 'ọ', 'o'), 'ȯ', 'o'), 'ǒ', 'o'), 'ô', 'o');
--> statement-breakpoint
UPDATE `__new_certificates` SET `folded` = replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(`folded`, 'Ò', 'o'), 'Ó', 'o'), 'Ō', 'o'), 'Ọ', 'o'), 'Ȯ', 'o'), 'Ǒ', 'o'), 'Ô', 'o'), 'ù', 'u'), 'ú', 'u'), 'ū', 'u'), 'ụ', 'u'), 'ǔ', 'u');
--> statement-breakpoint
UPDATE `__new_certificates` SET `folded` = replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(`folded`, 'û', 'u'), 'Ù', 'u'), 'Ú', 'u'), 'Ū', 'u'), 'Ụ', 'u'), 'Ǔ', 'u'), 'Û', 'u'), 'ǹ', 'n'), 'ń', 'n'), 'ṇ', 'n'), 'ṅ', 'n'), 'ň', 'n');
--> statement-breakpoint
UPDATE `__new_certificates` SET `folded` = replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(`folded`, 'Ǹ', 'n'), 'Ń', 'n'), 'Ṇ', 'n'), 'Ṅ', 'n'), 'Ň', 'n'), 'ś', 's'), 'ṣ', 's'), 'ṡ', 's'), 'š', 's'), 'ŝ', 's'), 'Ś', 's'), 'Ṣ', 's');
--> statement-breakpoint
UPDATE `__new_certificates` SET `folded` = replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(`folded`, 'Ṡ', 's'), 'Š', 's'), 'Ŝ', 's'), 'ḿ', 'm'), 'ṃ', 'm'), 'ṁ', 'm'), 'Ḿ', 'm'), 'Ṃ', 'm'), 'Ṁ', 'm'), 'ǵ', 'g'), 'ḡ', 'g'), 'ġ', 'g');
--> statement-breakpoint
UPDATE `__new_certificates` SET `folded` = replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(`folded`, 'ǧ', 'g'), 'ĝ', 'g'), 'Ǵ', 'g'), 'Ḡ', 'g'), 'Ġ', 'g'), 'Ǧ', 'g'), 'Ĝ', 'g'), char(768), ''), char(769), ''), char(772), ''), char(803), ''), char(775), '');
--> statement-breakpoint
UPDATE `__new_certificates` SET `folded` = replace(replace(`folded`, char(780), ''), char(770), '');
--> statement-breakpoint
DROP TABLE `certificates`;--> statement-breakpoint
ALTER TABLE `__new_certificates` RENAME TO `certificates`;--> statement-breakpoint
CREATE UNIQUE INDEX `certificates_id_unique` ON `certificates` (`id`);--> statement-breakpoint
CREATE UNIQUE INDEX `certificates_number` ON `certificates` (`certificate_number`) WHERE withdrawn_at is null;--> statement-breakpoint
CREATE INDEX `certificates_standing` ON `certificates` (`seq`) WHERE withdrawn_at is null;
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
CREATE VIRTUAL TABLE `certificate_search` USING fts5(`folded`, content='certificates', content_rowid='seq', columnsize=0, tokenize='trigram');
--> statement-breakpoint
INSERT INTO `certificate_search` (`certificate_search`) VALUES ('rebuild');
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
