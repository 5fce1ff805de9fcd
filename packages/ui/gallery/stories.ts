import { groups, type StoryFile, storyFile } from './story.ts'

const context = import.meta.webpackContext('./stories', { regExp: /\.tsx$/ })

const order = ({ about }: StoryFile) => groups.indexOf(about.group)

/** All components with their states, sorted by group and title. */
export const files: readonly StoryFile[] = context
  .keys()
  .map(file => storyFile(file, context(file) as Record<string, unknown>))
  .sort((a, b) => order(a) - order(b) || a.about.title.localeCompare(b.about.title, 'en'))
