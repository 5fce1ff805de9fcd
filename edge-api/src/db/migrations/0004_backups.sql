CREATE TABLE `backups` (
	`seq` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`at` integer NOT NULL,
	`kind` text NOT NULL,
	`file` text,
	`bytes` integer NOT NULL,
	`took_ms` integer NOT NULL,
	`verified` integer NOT NULL,
	`error` text
);
