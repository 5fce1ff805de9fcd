-- Accounts are also found by their company, the part of their address before the first comma.
DROP TRIGGER `write_user_text`;
--> statement-breakpoint
DROP TRIGGER `rewrite_user_text`;
--> statement-breakpoint
DROP TRIGGER `reindex_user_text`;
--> statement-breakpoint
UPDATE `user_texts` SET `folded` = `user_texts`.`folded` || char(10) || lower(trim(replace(substr(users.address, 1, instr(users.address || ',', ',') - 1), char(10), ' '))) FROM `users` WHERE users.id = `user_texts`.`user_id` AND users.address <> '';
--> statement-breakpoint
INSERT INTO `user_search` (`user_search`) VALUES ('rebuild');
--> statement-breakpoint
INSERT INTO `user_word_search` (`user_word_search`) VALUES ('rebuild');
--> statement-breakpoint
CREATE TRIGGER `write_user_text` AFTER INSERT ON `users` BEGIN
	INSERT INTO `user_texts` (`user_id`, `folded`) VALUES (new.id, lower(new.email || char(10) || new.phone || char(10) || replace(replace(replace(replace(replace(new.phone, ' ', ''), '(', ''), ')', ''), '.', ''), '-', '') || char(10) || new.firstname || ' ' || new.lastname || coalesce(char(10) || new.firstname || ' ' || new.middlename || ' ' || new.lastname, '') || iif(new.address = '', '', char(10) || trim(replace(substr(new.address, 1, instr(new.address || ',', ',') - 1), char(10), ' ')))));
END;
--> statement-breakpoint
CREATE TRIGGER `rewrite_user_text` AFTER UPDATE OF `email`, `firstname`, `middlename`, `lastname`, `phone`, `address` ON `users` WHEN new.email <> old.email OR new.firstname <> old.firstname OR new.middlename is not old.middlename OR new.lastname <> old.lastname OR new.phone <> old.phone OR new.address <> old.address BEGIN
	UPDATE `user_texts` SET `folded` = lower(new.email || char(10) || new.phone || char(10) || replace(replace(replace(replace(replace(new.phone, ' ', ''), '(', ''), ')', ''), '.', ''), '-', '') || char(10) || new.firstname || ' ' || new.lastname || coalesce(char(10) || new.firstname || ' ' || new.middlename || ' ' || new.lastname, '') || iif(new.address = '', '', char(10) || trim(replace(substr(new.address, 1, instr(new.address || ',', ',') - 1), char(10), ' ')))) WHERE `user_id` = new.id;
END;
--> statement-breakpoint
CREATE TRIGGER `reindex_user_text` AFTER UPDATE OF `folded` ON `user_texts` WHEN old.folded <> new.folded BEGIN
	INSERT INTO `user_search` (`user_search`, rowid, `folded`) VALUES ('delete', old.seq, old.folded);
	INSERT INTO `user_search` (rowid, `folded`) VALUES (new.seq, new.folded);
	INSERT INTO `user_word_search` (`user_word_search`, rowid, `folded`) VALUES ('delete', old.seq, old.folded);
	INSERT INTO `user_word_search` (rowid, `folded`) VALUES (new.seq, new.folded);
END;
