"""What nbclient sees of a failing cell; run by nbclient.client.ts. Prints the executed notebook as JSON."""
import json

import nbformat
from nbclient import NotebookClient

cells = ["const a = 1;\na + 1", "throw new RangeError('on purpose')", "a + 2", "const b: string = a;", "a + 3"]
notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(source) for source in cells])
NotebookClient(notebook, kernel_name="jitlab", allow_errors=True, timeout=60).execute()
nbformat.validate(notebook)
print(json.dumps(notebook))
