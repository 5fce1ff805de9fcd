CREATE TABLE `record_changes` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`kind` text NOT NULL,
	`record_id` text NOT NULL,
	`version` integer NOT NULL,
	`action` text NOT NULL,
	`label` text,
	`at` integer NOT NULL,
	`actor_id` text,
	`source_kind` text NOT NULL,
	`source_id` text,
	`source_label` text,
	`reason` text,
	`fields` text,
	`salt` text,
	`digest` text NOT NULL,
	`log_id` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `record_changes_of_record` ON `record_changes` (`kind`,`record_id`,`version`);--> statement-breakpoint
CREATE INDEX `record_changes_by_log` ON `record_changes` (`log_id`);--> statement-breakpoint
CREATE INDEX `record_changes_by_source` ON `record_changes` (`source_id`,`id`);--> statement-breakpoint
CREATE INDEX `record_changes_by_actor` ON `record_changes` (`actor_id`,`id`);--> statement-breakpoint
CREATE INDEX `record_changes_by_label` ON `record_changes` (`label`,`id`);--> statement-breakpoint
ALTER TABLE `users` ADD `version` integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE `certificates` ADD `version` integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE `certificates` ADD `upload_seq` integer;
--> statement-breakpoint
-- Deleted certificates keep their text, so that they can be searched and sorted; the index has those in the register alone.
DROP TRIGGER `index_certificate`;
--> statement-breakpoint
DROP TRIGGER `unindex_certificate`;
--> statement-breakpoint
DROP TRIGGER `reindex_certificate`;
--> statement-breakpoint
CREATE TRIGGER `index_certificate` AFTER INSERT ON `certificates` WHEN new.withdrawn_at is null BEGIN
	INSERT INTO `certificate_search` (rowid, `folded`) VALUES (new.seq, new.folded);
END;
--> statement-breakpoint
CREATE TRIGGER `unindex_certificate` AFTER DELETE ON `certificates` WHEN old.withdrawn_at is null BEGIN
	INSERT INTO `certificate_search` (`certificate_search`, rowid, `folded`) VALUES ('delete', old.seq, old.folded);
END;
--> statement-breakpoint
CREATE TRIGGER `reindex_certificate` AFTER UPDATE OF `folded`, `withdrawn_at` ON `certificates` WHEN old.folded <> new.folded OR (old.withdrawn_at is null) <> (new.withdrawn_at is null) BEGIN
	INSERT INTO `certificate_search` (`certificate_search`, rowid, `folded`) SELECT 'delete', old.seq, old.folded WHERE old.withdrawn_at is null;
	INSERT INTO `certificate_search` (rowid, `folded`) SELECT new.seq, new.folded WHERE new.withdrawn_at is null;
END;
--> statement-breakpoint
UPDATE `certificates` SET `folded` = lower(`certificate_number` || char(10) || `student_name` || char(10) || `course`) WHERE withdrawn_at is not null;
--> statement-breakpoint
-- The history is append-only: personal values can only be blanked, together with their salt.
CREATE TRIGGER `record_changes_no_delete` BEFORE DELETE ON `record_changes` BEGIN
	SELECT raise(ABORT, 'the history is append-only');
END;
--> statement-breakpoint
CREATE TRIGGER `record_changes_no_update` BEFORE UPDATE OF `id`, `kind`, `record_id`, `version`, `action`, `label`, `at`, `actor_id`, `source_kind`, `source_id`, `source_label`, `digest`, `log_id` ON `record_changes` BEGIN
	SELECT raise(ABORT, 'the history is append-only');
END;
--> statement-breakpoint
CREATE TRIGGER `record_changes_blank_only` BEFORE UPDATE OF `fields`, `reason`, `salt` ON `record_changes` WHEN new.fields is not null OR new.reason is not null OR new.salt is not null BEGIN
	SELECT raise(ABORT, 'values of the history can only be blanked');
END;
