CREATE TABLE `front_end_reports` (
	`day` text NOT NULL,
	`remote` text NOT NULL,
	`release` text NOT NULL,
	`stage` text NOT NULL,
	`total` integer NOT NULL,
	PRIMARY KEY(`day`, `remote`, `release`, `stage`)
);
