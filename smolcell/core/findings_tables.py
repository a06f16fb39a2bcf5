"""Which names of data libraries may reach a file or the network: tables that the policy reads.

The rules this file exists to keep:

* A name that begins like reading or writing is unclear, unless it stands in the reviewed list.
* A part of a data library is unclear, unless it stands in the reviewed list.
"""

from __future__ import annotations

import re

from smolcell.worker.guard.tables import DATA_IMPORTS

DATA_MODULES = frozenset(name.partition(".")[0] for name in DATA_IMPORTS)

# Parts of data libraries that compute and draw, as they are imported.
DATA_PARTS = frozenset(
    """
    Image ImageChops ImageColor ImageDraw ImageEnhance ImageFilter ImageOps ImageStat
    api base calibration cluster cm colors compose compute constants cross_decomposition csgraph dates decomposition distance
    discriminant_analysis dummy ensemble exceptions extmath fft fftpack feature_extraction feature_selection gaussian_process
    gridspec hierarchy impute indexing inspection integrate interpolate isotonic kernel_approximation kernel_ridge linalg
    linear_model lines ma manifold markers metrics mixture model_selection mplot3d multiclass multioutput naive_bayes ndimage
    neighbors neural_network offsets optimize pairwise patches pipeline polynomial preprocessing pyplot random
    random_projection semi_supervised signal sparse spatial special stats svm text ticker transforms tree tseries types
    typing validation vq windows
    """.split()
)

# Parts of data libraries that read, write, fetch or run: naming one is unclear, whatever follows.
_UNCLEAR_PARTS = frozenset(
    """
    ImageGrab ImageShow _core _libs _testing backend_bases backends cffi
    clipboard clipboards compat core csv ctypeslib cuda dataset datasets
    distutils excel externals f2py feather filesystem flight font_manager fs gandiva hdfs image io io_common jvm lib libs
    misc netcdf openml orc parquet plasma sas substrait texmanager test testing tests util utils wavfile
    """.split()
)

# Names that reach a file, the network or a program without saying so at their beginning.
_UNCLEAR_NAMES = frozenset(
    """
    AFMFont AudioFile BufferedInputStream BufferedOutputStream BufferedReader CompressedInputStream CompressedOutputStream
    CSVWriter DataSource ExcelFile ExcelWriter FTFont FileSelector FileSystem FontManager FontProperties GcsFileSystem
    HDFStore HadoopFileSystem Interactive LocalFileSystem LowLevelCallable MemoryMappedFile NativeFile NpzFile OSFile
    ORCFile ORCWriter ParquetDataset ParquetFile ParquetWriter PyFileSystem PythonFile RecordBatchFileReader
    RecordBatchFileWriter S3FileSystem SASReader StataReader StataWriter SubTreeFileSystem TarIO WalkFiles XportReader
    addfont ascent bench byte_bounds clear_cache clear_data_home copy_file copy_files copyfile create_dir
    create_memory_map delete_dir delete_dir_contents delete_file electrocardiogram face file_open findSystemFonts findfont
    fromregex from_buffer from_file from_path from_uri genfromtxt get_data_home get_data_path get_dataset_names
    get_file_info get_filepath_or_buffer get_handle get_sample_data getOpenProfile grab grabclipboard imread imsave
    infer_compression input_stream ismemmap load_lib lookfor memory_map move netcdf_file output_stream rc_context rc_file
    rc_file_defaults rc_params rc_params_from_file register_namespace reset_tzpath rundocs rundoctest set_loglevel
    show_config show_versions style_use truetype urlopen urlretrieve use use_style whosmat
    """.split()
)

_BEGINNING = re.compile(
    r"_*(?:(?:to|from)_(?=[a-z])|read|load|save|write|open|fetch|dump|import|export|download|upload|urlopen|memmap|mmap|tofile)"
)

# Names that begin so and were found to compute only.
_REVIEWED = frozenset(
    """
    dumps from_arrays from_breaks from_bytes from_codes from_custom_template from_decimal from_dict from_dummies from_float
    from_frame from_iterable from_levels_and_colors from_list from_numpy from_ordinals from_pandas from_product
    from_pydict from_pylist from_records from_spmatrix from_template from_tuples
    loads openings opens read_only readable readonly reads readline readlines
    to_array to_arrays to_batches to_bytes to_coo to_datetime to_datetime64 to_dict to_eng_string to_flat_index to_frame
    to_hex to_hierarchical to_integral to_integral_exact to_integral_value to_julian_date to_list to_numeric to_numpy
    to_offset to_pandas to_period to_pydatetime to_pydict to_pylist to_pytimedelta to_records to_reduced_batches to_rgb
    to_rgba to_rgba_array to_series to_table to_timedelta to_timedelta64 to_timestamp to_tree to_tuples tolist total
    writeable
    """.split()
)


def may_reach_a_file(name: str) -> bool:
    """Whether an attribute of that name may read, write, fetch or load something; what is unclear may."""
    if name in _UNCLEAR_NAMES or name in _UNCLEAR_PARTS:
        return True
    return name not in _REVIEWED and _BEGINNING.match(name) is not None
