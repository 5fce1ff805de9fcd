CREATE TABLE `upload_batches` (
	`id` integer PRIMARY KEY NOT NULL,
	`last_id` integer NOT NULL,
	`rows` text NOT NULL
);
