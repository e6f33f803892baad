"""Outside formats, reading and writing: one module per format. The doors are `readers`, `workflow_file`,
`answer_key` and `answers_table`."""
