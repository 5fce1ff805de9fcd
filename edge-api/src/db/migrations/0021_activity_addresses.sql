ALTER TABLE `uploads` ADD `ip_address` text;--> statement-breakpoint
ALTER TABLE `payments` ADD `ip_address` text;--> statement-breakpoint
ALTER TABLE `reconciliations` ADD `ip_address` text;