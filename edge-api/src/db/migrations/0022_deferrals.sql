CREATE TABLE `deferrals` (
	`queue` text NOT NULL,
	`item` text NOT NULL,
	`reason` text NOT NULL,
	`attempts` integer NOT NULL,
	`since` integer NOT NULL,
	`next_at` integer NOT NULL,
	PRIMARY KEY(`queue`, `item`)
);
