ALTER TABLE `uploads` ADD `date_order` text;--> statement-breakpoint
ALTER TABLE `uploads` ADD `recognised_columns` text;--> statement-breakpoint
ALTER TABLE `uploads` ADD `ignored_columns` text;