import { groups, type StoryFile, toStoryFile } from './story.ts'

const context = import.meta.webpackContext('./stories', { regExp: /\.tsx$/ })

const groupIndex = ({ about }: StoryFile) => groups.indexOf(about.group)

/** All components with their stories, sorted by group and title. */
export const files: readonly StoryFile[] = context
  .keys()
  .map(file => toStoryFile(file, context(file) as Record<string, unknown>))
  .sort((a, b) => groupIndex(a) - groupIndex(b) || a.about.title.localeCompare(b.about.title, 'en'))
