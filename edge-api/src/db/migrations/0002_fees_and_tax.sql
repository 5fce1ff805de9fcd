ALTER TABLE `payments` ADD `passed_on_minor` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `payments` ADD `gateway_fee_minor` integer;--> statement-breakpoint
ALTER TABLE `payments` ADD `tax_name` text;--> statement-breakpoint
ALTER TABLE `payments` ADD `tax_basis_points` integer;