-- Last names with other than ASCII characters sort as they are folded in the search text: on its fourth line, after the
-- words of the first name.
ALTER TABLE `users` ADD `sort_name` text;
--> statement-breakpoint
UPDATE `users` SET `sort_name` = (
	WITH RECURSIVE lines (n, rest) AS (
		SELECT 0, folded || char(10) FROM `user_texts` WHERE user_id = users.id
		UNION ALL SELECT n + 1, substr(rest, instr(rest, char(10)) + 1) FROM lines WHERE n < 3),
	words (n, rest) AS (
		SELECT length(users.firstname) - length(replace(users.firstname, ' ', '')) + 1, substr(rest, 1, instr(rest, char(10)) - 1) FROM lines WHERE n = 3
		UNION ALL SELECT n - 1, substr(rest, instr(rest, ' ') + 1) FROM words WHERE n > 0)
	SELECT rest FROM words WHERE n = 0
) WHERE `erased_at` IS NULL AND `lastname` GLOB '*[^ -~]*';
--> statement-breakpoint
DROP INDEX `users_by_lastname`;
--> statement-breakpoint
CREATE INDEX `users_by_lastname` ON `users` (coalesce(sort_name, lower(lastname)),`created_at`);
--> statement-breakpoint
DROP INDEX `certificates_by_name`;
--> statement-breakpoint
CREATE INDEX `certificates_by_name` ON `certificates` (substr(folded, instr(folded, char(10)) + 1, instr(substr(folded, instr(folded, char(10)) + 1), char(10)) - 1)) WHERE withdrawn_at is null;
