// Tables of text as sources.
#include <doctest/doctest.h>

#include <attn/core/error.hpp>
#include <attn/core/source_sink.hpp>
#include <attn/io/column_names.hpp>
#include <attn/io/input.hpp>
#include <attn/io/output.hpp>

#include "support/scratch.hpp"

#include <cmath>
#include <vector>

using namespace attn;
using Header = io::TableOptions::Header;
using Missing = io::TableOptions::Missing;

namespace {

struct Table {
  Scratch scratch;
  std::string path;
  std::unique_ptr<Source> source;

  explicit Table(const std::string& text, io::TableOptions options = {}, const char* name = "t.csv") {
    path = scratch.write(name, text);
    io::InputOptions input;
    input.table = options;
    source = io::open_source(path, input);
  }

  std::vector<double> numbers(const std::string& name = "table") const {
    const TensorView x = contiguous(source->read(name));
    const auto* first = x.contiguous_data<double>();
    return {first, first + x.size()};
  }
  Shape shape(const std::string& name = "table") const { return source->describe(name).shape; }
};

/// The message of the error that reading the text gives, without the directory.
std::string error_of(const std::string& text, io::TableOptions options = {}, const std::string& name = {}) {
  std::string directory;
  try {
    Table table(text, options);
    directory = table.scratch.path("");
    table.source->read(name.empty() ? io::default_dataset(*table.source, {}) : name);
  } catch (const Error& error) {
    const std::string message = error.what();
    const std::size_t at = message.find("t.csv");
    return at == std::string::npos ? message : message.substr(at);
  }
  return "no error";
}

io::TableOptions with(Header header, Missing missing = Missing::error, char delimiter = 0) {
  return {header, delimiter, missing};
}

}  // namespace

TEST_CASE("rows are samples, always") {
  CHECK(Table("1,2\n3,4\n5,6\n").shape() == Shape{3, 2});
  CHECK(Table("1\n2\n3").shape() == Shape{3, 1});
  CHECK(Table("1,2,3").shape() == Shape{1, 3});
  CHECK(Table("7").numbers() == std::vector<double>{7});
  CHECK(Table("a,b\n").shape() == Shape{0, 2});
  CHECK(Table("a,b\n1,2\n").numbers("b,a") == std::vector<double>{2, 1});
  CHECK(Table("a,b\n1,2\n").shape("1") == Shape{1, 1});
}

TEST_CASE("a blank line is an empty cell where a row is one cell") {
  CHECK(error_of("1\n\n2\n") == "t.csv:2:1: an empty cell; --missing omit drops its row, --missing nan reads NaN");
  CHECK(error_of("v\n1\n  \n2\n") ==
        "t.csv:3:3: an empty cell in column 'v'; --missing omit drops its row, --missing nan reads NaN");
  CHECK(error_of("v\r\n\r\n2\r\n").substr(0, 26) == "t.csv:2:1: an empty cell i");
  const std::vector<double> gap = Table("1\n\n2\n", with(Header::no, Missing::nan)).numbers();
  REQUIRE(gap.size() == 3);
  CHECK(std::isnan(gap[1]));
  CHECK(Table("1\n\n2\n", with(Header::no, Missing::omit)).numbers() == std::vector<double>{1, 2});
  // At the end there is none, behind comments neither.
  for (const char* text : {"1\n2\n\n", "1\n2\n\n\n  \n", "1\n2\n\n# note\n\n", "\n1\n# note\n2\n", "1\r\n2\r\n\r\n"})
    CHECK(Table(text).numbers() == std::vector<double>{1, 2});
  CHECK(error_of("1\n\n# note\n2\n").substr(0, 9) == "t.csv:2:1");
  CHECK(Table("\"a\"\n\"b\n#c\"\n").shape() == Shape{1, 1});
  // In wider tables blank lines are nothing.
  CHECK(Table("1,2\n\n3,4\n").numbers() == std::vector<double>{1, 2, 3, 4});
}

TEST_CASE("the marks of other systems are read") {
  CHECK(Table("\xef\xbb\xbf"
              "a,b\r\n1,2\r\n\r\n3,4\r\n")
            .numbers() == std::vector<double>{1, 2, 3, 4});
  CHECK(Table("# note\n\n  \n1 , +2\n# more\n 3,4").numbers() == std::vector<double>{1, 2, 3, 4});
  CHECK(Table("\"x\",\"y\"\n\"1\",\"2\"\n").numbers() == std::vector<double>{1, 2});
  CHECK(Table("1\t2\n", {}, "t.tsv").shape() == Shape{1, 2});
  CHECK(Table("1;2\n", with(Header::automatic, Missing::error, ';')).shape() == Shape{1, 2});
}

TEST_CASE("headers") {
  CHECK(Table("1,2\n3,4\n", with(Header::yes)).shape() == Shape{1, 2});
  CHECK(Table("1,2\n3,4\n", with(Header::yes)).numbers("2") == std::vector<double>{4});
  CHECK(error_of("a,2\n3,4\n") ==
        "t.csv:1:3: the first row has both words and numbers; say what it is with --header or --no-header");
  CHECK(error_of("a,b\n1,2\n", with(Header::no)) ==
        "t.csv:1:1: 'a' is not a number; correct it, write NA and give --missing nan, "
        "or remove its line (sed 1d), or name other columns");
  CHECK(error_of("a,a\n1,2\n", {}, "a") == "t.csv: has several columns 'a'; name it by its number, from 0");
  CHECK(error_of("a,b\n1,2\n", {}, "c") == "t.csv: has no column 'c'; it has a, b");
}

TEST_CASE("errors say where") {
  CHECK(error_of("a,b\n1,2\n3,x\n") ==
        "t.csv:3:3: 'x' is not a number in column 'b'; correct it, write NA and give --missing nan, "
        "or remove its line (sed 3d), or name other columns");
  CHECK(error_of("1,2\n3,4,5\n") ==
        "t.csv:2:4: the row has 3 cells, expected 2; remove the extra cells, or put quotes around a cell that "
        "contains a delimiter");
  CHECK(error_of("1,2\n3\n") ==
        "t.csv:2:2: the row has 1 cell, expected 2; add the missing cells, or empty ones with --missing nan");
  CHECK(error_of("1,2\n3,\n") == "t.csv:2:3: an empty cell; --missing omit drops its row, --missing nan reads NaN");
  CHECK(error_of("1,2\n3,NA\n") ==
        "t.csv:2:3: 'NA' is not a number; --missing omit drops its row, --missing nan reads NaN");
  CHECK(error_of("1,2\n3,\"4\n") ==
        "t.csv:2:3: a quote is opened and never closed; close it, or write a quote inside quotes as two, "
        "one alone as \"\"\"\"; --no-quotes reads quotes as characters");
  CHECK(error_of("1,2\n3,\"4\"5\n") ==
        "t.csv:2:6: text after a closing quote; write a quote inside quotes as two, one alone "
        "as \"\"\"\"; --no-quotes reads quotes as characters");
  CHECK(error_of("w\na\n5\nb\n") ==
        "t.csv:2:1: 'a' is not a number in column 'w'; correct it, write NA and give --missing nan, "
        "or remove its line (sed 2d)");
  CHECK(error_of("gr\xfc\xdf\n1\n") ==
        "t.csv:1:1: text that is not UTF-8; convert it, for example with iconv -f ISO-8859-1 -t UTF-8");
  CHECK(error_of(std::string("1,2\0,3\n", 7)) == "t.csv: is neither HDF5, NPY, safetensors nor text");
  CHECK(error_of("# only\n") == "t.csv: has no rows; its lines begin with '#': --comment none reads them as rows");
}

TEST_CASE("numbers with another delimiter are no text") {
  const auto asks_for = [](const std::string& text, const char* delimiter, io::TableOptions options = {}) {
    return error_of(text, options).find("--delim '" + std::string(delimiter) + "' makes cells") != std::string::npos;
  };
  CHECK(asks_for("1;2\n3;4\n", ";"));
  CHECK(asks_for("a;b\n1;2\n", ";"));
  CHECK(asks_for("1|2\n", "|"));
  CHECK(asks_for("1\t2\n", "\\t"));
  CHECK(asks_for("1 2\n", " ", with(Header::no)));
  CHECK(asks_for("n;a\nx;1\ny;NA\n", ";") == false);  // a field that is not a number throughout
  CHECK(asks_for("n;a\nx;1\ny;2\n", ";"));
  CHECK(asks_for("1;2,5\n3;4,5\n", ";"));
  CHECK(asks_for("1;2,3;4\n", ";"));
  CHECK(Table("id,2019 2020\n1,2\n").numbers("2019 2020") == std::vector<double>{2});
  const auto is_text = [](const std::string& text, io::TableOptions options = {}) {
    const Table table(text, options);
    return table.source->tensors().size() == 1 && table.source->read("table").dtype == DType::string;
  };
  CHECK(is_text("w\na;b\nc\n"));
  CHECK(is_text("w\n1;2\nc\n"));
  CHECK(is_text("w\n\"1;2\"\n\"3;4\"\n"));
  CHECK(is_text("w\nroom 12\nroom 13\n"));
  CHECK(is_text("1;2\n3;4\n", with(Header::no, Missing::error, ',')));
  const io::TableOptions semicolons = with(Header::automatic, Missing::error, ';');
  const io::TableOptions bars = with(Header::automatic, Missing::error, '|');
  CHECK(error_of("a|b\n1|2,5\n", bars, "b").find("t.csv:2:3: '2,5' has a decimal comma") == 0);
  CHECK(Table("a;b\n1;2,5\n", semicolons).numbers("b") == std::vector<double>{2.5});
  CHECK(Table("a;b\n1;2,5\n", semicolons).numbers("a") == std::vector<double>{1});
  CHECK(error_of("1,5|2\n", bars).find("t.csv:1:1: '1,5' has a decimal comma") == 0);
  CHECK(error_of("a|b\n1|2,5\n3|x\n", bars, "b") == "no error");
  CHECK(error_of("a;b\n1;2,5\n3;x\n", semicolons, "b").find("t.csv:3:3: 'x' is not a number") == 0);
}

TEST_CASE("blanks delimit cells in quotes too") {
  const io::TableOptions blanks = with(Header::automatic, Missing::error, ' ');
  const Table table("\"a b\" \"c\"\n1   2\n3 4\n", blanks);
  CHECK(table.numbers("a b") == std::vector<double>{1, 3});
  CHECK(table.numbers("c") == std::vector<double>{2, 4});
  CHECK(error_of("\"a\"b c\n1 2\n", blanks).find("text after a closing quote") != std::string::npos);
}

TEST_CASE("names of columns") {
  using Names = std::vector<std::string>;
  CHECK(io::column_names({{"columns", vector_of(std::vector<std::int64_t>{2019, 2020})}}, 2) == Names{"2019", "2020"});
  CHECK(io::column_names({{"columns", vector_of(std::vector<double>{0.5, 1})}}, 2) == Names{"0.5", "1"});
  CHECK(io::column_names({{"columns", vector_of(Names{"a", ""})}}, 2) == Names{"a", ""});
  CHECK(io::column_names({{"columns", vector_of(Names{"a", "b"})}}, 3).empty());
  CHECK(io::column_names({{"columns", scalar_of(std::int64_t{1})}}, 1).empty());
  for (const char* name : {"1", "/1", "//nan", "a", "/a", "", "/", "1/"})
    CHECK(io::unmarked_name(io::marked_name(name)) == name);
  CHECK(io::marked_name("1") == "/1");
  CHECK(io::marked_name("/a") == "/a");
}

TEST_CASE("a bool is 0 or 1") {
  CHECK(error_of("# dtype=bool\na\n1\n2\n") ==
        "t.csv:4:1: '2' is not a bool (0 or 1) in column 'a'; correct it, or choose another dtype");
  CHECK(error_of("# dtype=bool\n0.5\n").find("t.csv:2:1: '0.5' is not a bool") == 0);
  CHECK(error_of("# dtype=bool\n-1\n").find("t.csv:2:1: '-1' is not a bool") == 0);
}

TEST_CASE("missing cells") {
  const std::vector<double> kept = Table("1,2\n3,NA\n.,5\n6,7\n,\n", with(Header::automatic, Missing::omit)).numbers();
  CHECK(kept == std::vector<double>{1, 2, 6, 7});
  const std::vector<double> nan = Table("1,NaN\n3,\n", with(Header::automatic, Missing::nan)).numbers();
  REQUIRE(nan.size() == 4);
  CHECK((std::isnan(nan[1]) && nan[2] == 3 && std::isnan(nan[3])));
  // A row is left out for all columns alike, so that columns stay beside each other.
  CHECK(Table("a,b\n1,2\n3,NA\n", with(Header::automatic, Missing::omit)).numbers("a") == std::vector<double>{1});
}

TEST_CASE("columns of words") {
  const Table table("name,age\nSmith,31\n\"Sato, \"\"T\"\"\",40\n");
  REQUIRE(table.source->tensors().size() == 2);
  const TensorView names = table.source->read("name");
  CHECK(names.dtype == DType::string);
  CHECK(names.contiguous_data<std::string>()[1] == "Sato, \"T\"");
  CHECK(table.numbers("age") == std::vector<double>{31, 40});
  CHECK_THROWS_AS(table.source->read("name,age"), Error);
}

TEST_CASE("numbers in quotes are text unless everything stands in quotes") {
  const auto kinds = [](const std::string& text, io::TableOptions options = {}) {
    std::string found;
    const Table table(text, options);
    for (const TensorInfo& info : table.source->tensors())
      found += (found.empty() ? "" : " ") + info.name + ":" + std::string(name_of(info.dtype));
    return found;
  };
  CHECK(kinds("a,b\n\"1\",2\n\"3\",4\n") == "a:str b:f64");
  CHECK(kinds("a,b\n\"1\",w\n") == "table:str");
  CHECK(kinds("a,b\n\"1\",\"w\"\n") == "a:f64 b:str");
  CHECK(kinds("\"a\",\"b\"\n\"1\",\"2\"\n\"\",NA\n") == "table:f64");
  CHECK(kinds("a,b\n\"1\",2\n3,\"4\"\n") == "table:f64");
  CHECK(kinds("a,b\n\"NA\",2\n\"\",4\n") == "a:str b:f64");
  CHECK(kinds("a,b\n\"NA\",2\n\"\",4\n", with(Header::automatic, Missing::nan)) == "table:f64");
  CHECK(kinds("# dtype=f64\na,b\n\"1\",2\n") == "table:f64");
  CHECK(kinds("# dtype=str\na,b\n007,2\n") == "table:str");
  CHECK(Table("# dtype=str\na\n007\n").source->read("table").contiguous_data<std::string>()[0] == "007");
}

TEST_CASE("whole numbers lose no digit unasked") {
  const auto dtype = [](const std::string& text, const std::string& name = "table") {
    return name_of(Table(text).source->describe(name).dtype);
  };
  CHECK(dtype("9007199254740992\n-9007199254740994\n") == "f64");
  CHECK(dtype("1\n-9007199254740993\n") == "i64");
  CHECK(dtype("9007199254740993,2\n") == "i64");
  CHECK(dtype("18446744073709551615,9007199254740993\n") == "u64");
  CHECK(dtype("a,b\n18446744073709551615,-1\n", "a") == "u64");
  CHECK(dtype("a,b\n9007199254740993,0.5\n", "a") == "i64");
  CHECK(dtype("a,b\n9007199254740993,0.5\n", "b") == "f64");
  CHECK(dtype("# dtype=f64\n9007199254740993\n") == "f64");
  CHECK(Table("# dtype=f64\n9007199254740993\n").numbers() == std::vector<double>{9007199254740992});
  CHECK(error_of("0.5\n9007199254740993\n") ==
        "t.csv:2:1: '9007199254740993' has more digits than f64 keeps; begin with a line '# dtype=f64' to round it");
  CHECK(error_of("-1\n18446744073709551615\n").find("t.csv:2:1: '18446744073709551615' has more") == 0);
  CHECK(error_of("a,b\n9007199254740993,0.5\n", {}, "a,b").find("that f64 would round in column 'a'") !=
        std::string::npos);
  // Far down, where nobody looked for them.
  std::string ones;
  for (int row = 0; row < 1000; ++row) ones += "1\n";
  CHECK(error_of(ones + "9007199254740993\n").find("t.csv:1001:1: '9007199254740993' has more digits") == 0);
  CHECK(error_of("# dtype=i64\n9007199254740993.0\n").find("is not a whole number in range") != std::string::npos);
  // What no integer holds, and what is no whole number as it is written, is a float like any other.
  CHECK(Table("9.007199254740993e15,1e300,123456789012345678901\n").numbers() ==
        std::vector<double>{9007199254740993e0, 1e300, 123456789012345678901e0});
}

TEST_CASE("-0 is no whole number unasked") {
  const std::string large = "9007199254740993\n", digits = "t.csv:3:1: '9007199254740993' has more digits";
  for (const std::string zero : {"-0", " -0", "-00", "-0.0"}) {
    CAPTURE(zero);
    CHECK(error_of("a\n" + zero + "\n" + large).find(digits) == 0);
    const Table beside("a,b\n" + zero + "," + large);
    CHECK(beside.source->describe("b").dtype == DType::i64);
    const TensorView a = beside.source->read("a");
    REQUIRE(a.dtype == DType::f64);
    CHECK(std::signbit(a.contiguous_data<double>()[0]));
    const Table asked("# dtype=i64\n" + zero + "\n" + large);
    CHECK(asked.source->read("table").contiguous_data<std::int64_t>()[0] == 0);
  }
  CHECK(error_of("a\n\"-0\"\n" + large).find(digits) == 0);
  // Far down, where nobody looked for it.
  std::string zeros;
  for (int row = 0; row < 1000; ++row) zeros += "0\n";
  CHECK(Table(large + zeros).source->read("table").dtype == DType::i64);
  for (const std::string zero : {"-0", "-0.0", "-0e0"})
    CHECK(error_of(large + zeros + zero + "\n") ==
          "t.csv:1002:1: '" + zero +
              "' has a sign that i64 does not keep; begin with a line '# dtype=i64' to read 0, "
              "or '# dtype=f64' to round the others");
  CHECK(error_of(large + zeros + "\"-0\"\n").find("t.csv:1002:1: '-0' has a sign") == 0);
  CHECK(error_of("18446744073709551615\n" + zeros + "-0\n").find("'-0' has a sign that u64 does not") !=
        std::string::npos);
}

TEST_CASE("a comment carries shape and dtype") {
  const Table table("# shape=2,1,2 dtype=f32\na,b\n1,2\n3,4\n");
  const TensorView x = table.source->read("table");
  CHECK(x.dtype == DType::f32);
  CHECK(x.shape == Shape{2, 1, 2});
  CHECK(Table("# a shape=2,a\n1\n2\n").shape() == Shape{2, 1});  // a comment like any other
  CHECK(error_of("# shape=2,a\n1\n2\n").find("t.csv:1:3: 'shape=2,a' in a comment") == 0);
  CHECK(Table("# dtype=i64\na\n9007199254740993\n").source->tensors().front().dtype == DType::i64);
  CHECK(error_of("# shape=2,3\n1,2\n") ==
        "t.csv: has 2 cells, expected those of shape (2, 3); correct the line '# shape=', or remove it");
  CHECK(error_of("# shape=4611686018427387904,4611686018427387904\n1\n") ==
        "t.csv: claims shape (4611686018427387904, 4611686018427387904), more than a file can hold");
}

TEST_CASE("every dtype is read as such") {
  const auto read = [](const std::string& dtype, const std::string& cells) {
    return Table("# shape=2,1 dtype=" + dtype + "\n" + cells).source->read("table");
  };
  for (const char* dtype :
       {"f64", "f32", "f16", "bf16", "i64", "i32", "i16", "i8", "u64", "u32", "u16", "u8", "bool"}) {
    CAPTURE(dtype);
    const TensorView x = read(dtype, "1\n 0\n");
    CHECK(x.dtype == dtype_from_name(dtype));
    const TensorView y = cast(x, DType::f64);
    CHECK((y.contiguous_data<double>()[0] == 1 && y.contiguous_data<double>()[1] == 0));
  }
  CHECK(read("bool", "1\n0\n").contiguous_data<Boolean>()[0].value == 1);
  // Rounded once: by way of a float this would be 1.
  CHECK(read("bf16", "1.00390625000001\n0\n").contiguous_data<BFloat16>()[0].bits == 0x3f81);
  CHECK(error_of("# shape=2,1 dtype=u8\n255\n256\n") ==
        "t.csv:3:1: '256' is not a whole number in range; correct it, or choose another dtype");
  CHECK(error_of("# shape=2,1 dtype=u8\n-1\n2\n") ==
        "t.csv:2:1: '-1' is not a whole number in range; correct it, or choose another dtype");
}

TEST_CASE("a part of a table holds no more than itself") {
  const Table table("a,b\n1,2\n3,4\n5,6\n");
  const TensorView x = table.source->read("table", parse_slab("1:2", "x"));
  CHECK(x.shape == Shape{1, 2});
  CHECK(x.is_contiguous());
  CHECK(x.contiguous_data<double>()[1] == 4);
}

TEST_CASE("columns that will be read come in one pass") {
  const Table table("a,b,c,d\n1,2,3,x\n4,5,6,y\n7,8,9,10\n");
  int passes = 0;
  io::InputOptions options;
  options.progress = [&](std::size_t done, std::size_t total) { passes += done == total; };
  const auto source = io::open_source(table.path, options);
  using Numbers = std::vector<double>;
  const auto read = [&](const std::string& name) {
    const TensorView x = source->read(name);
    return Numbers(x.contiguous_data<double>(), x.contiguous_data<double>() + x.size());
  };
  passes = 0;
  source->will_read({{"c,a", {}, {}}, {"b", {}, {}}});
  CHECK(read("c,a") == Numbers{3, 1, 6, 4, 9, 7});
  CHECK(passes == 1);
  CHECK(read("b") == Numbers{2, 5, 8});
  CHECK(passes == 1);
  // The next batch of another input asks for them once more.
  CHECK(read("b") == Numbers{2, 5, 8});
  CHECK(passes == 2);
  // What is wrong with others is said when they are asked for; of two that share a column each is read alone.
  source->will_read({{"a", {}, {}}, {"d", {}, {}}, {"e", {}, {}}});
  CHECK(read("a") == Numbers{1, 4, 7});
  CHECK_THROWS_WITH_AS(source->read("d"), doctest::Contains(":2:7: 'x' is not a number"), Error);
  CHECK_THROWS_WITH_AS(source->read("e"), doctest::Contains("has no column 'e'"), Error);
  source->will_read({{"a", {}, {}}, {"b,a", {}, {}}});
  CHECK(read("a") == Numbers{1, 4, 7});
  CHECK(read("b,a") == Numbers{2, 1, 5, 4, 8, 7});
}

TEST_CASE("blocks and threads change nothing") {
  std::string text = "a,b\n";
  for (int i = 0; i < 300'000; ++i) {
    text += std::to_string(i) + "," + std::to_string(i) + ".25\n";
    if (i % 70'000 == 5) text += "# a comment\n\n";
  }
  const Table alone(text);
  ThreadPool pool(3);
  io::InputOptions options;
  options.pool = &pool;
  const auto shared = io::open_source(alone.path, options);
  const TensorView a = alone.source->read("table"), b = shared->read("table");
  REQUIRE(a.shape == Shape{300'000, 2});
  REQUIRE(b.shape == a.shape);
  for (std::size_t i = 0; i < a.size(); ++i) REQUIRE(a.contiguous_data<double>()[i] == b.contiguous_data<double>()[i]);
  CHECK(a.contiguous_data<double>()[2 * 299'999 + 1] == 299'999.25);
}

TEST_CASE("tables are written with a header and the shortest numbers") {
  const Scratch scratch;
  const auto written = [&](io::OutputOptions options, const std::vector<TensorView>& tensors) {
    options.overwrite = true;
    options.format = io::Format::csv;
    const auto sink = io::create_sink(scratch.path("o"), options);
    for (const TensorView& tensor : tensors) sink->add(tensor.name, tensor);
    sink->commit();
    return scratch.read("o");
  };
  Tensor y(DType::f64, {2, 1}), se(DType::f32, {2}), m(DType::f64, {2, 2});
  y.data_as<double>()[0] = 0.1, y.data_as<double>()[1] = 1.0 / 3;
  se.data_as<float>()[0] = 0.1f, se.data_as<float>()[1] = -0.0f;
  for (int i = 0; i < 4; ++i) m.data_as<double>()[i] = i;
  CHECK(written({}, {y.view("y")}) == "y\n0.1\n0.3333333333333333\n");
  CHECK(written({}, {y.view("y"), se.view("se")}) == "y,se\n0.1,0.1\n0.3333333333333333,-0\n");
  CHECK(written({}, {m.view("m")}) == "m0,m1\n0,1\n2,3\n");
  CHECK(written({}, {se.view("se")}) == "# shape=2 dtype=f32\nse\n0.1\n-0\n");
  io::OutputOptions options;
  options.precision = 3;
  options.header = io::Header::none;
  options.delimiter = ';';
  CHECK(written(options, {y.view("y")}) == "0.1\n0.333\n");
  CHECK(written(options, {m.view("m")}) == "0;1\n2;3\n");
  const Tensor three(DType::f64, {3});
  CHECK_THROWS_AS(written({}, {m.view("m"), three.view("three")}), Error);
}

TEST_CASE("an operand names columns by names, numbers, ranges and patterns") {
  using Names = std::vector<std::string>;
  const Names names{"id", "a", "b", "a-b", "e1", "e2", "/3", "", "b-"};
  const auto places = [&](const std::string& list) { return io::choose_columns(list, names, names.size()).places; };
  const auto missing = [&](const std::string& list) { return io::choose_columns(list, names, names.size()).missing; };
  using Places = std::vector<std::size_t>;
  CHECK(places("a") == Places{1});
  CHECK(places("a-b") == Places{3});  // a name wins over a range
  CHECK(places("a - b") == Places{1, 2});
  CHECK(places("id-b") == Places{0, 1, 2});
  CHECK(places("b-id") == Places{2, 1, 0});
  CHECK(places("b-") == Places{8});
  CHECK(places("5-") == Places{5, 6, 7, 8});
  CHECK(places("e2-a-b") == Places{5, 4, 3});
  CHECK(places("e*") == Places{4, 5});
  CHECK(places("e2,e*,a,,") == Places{5, 4, 1});
  CHECK(places("a,a") == Places{1, 1});  // refused when it is read
  CHECK(places("3") == Places{6});       // without its slash
  CHECK(missing("a,zz") == "zz");
  CHECK(missing("a-zz") == "zz");
  CHECK(missing("zz-a") == "zz-a");
  CHECK(missing(",") == ",");
  CHECK(missing("9") == "9");
  CHECK(missing("x*") == "x*");
  CHECK(io::choose_columns("1-2", {}, 4).places == Places{1, 2});
  CHECK(io::choose_columns("*", {}, 3).places == Places{0, 1, 2});
  CHECK(io::choose_columns("x", {"x", "y", "x"}, 3).is_ambiguous);
  CHECK(io::choose_columns("x-y", {"x", "y", "x"}, 3).is_ambiguous);
  CHECK(io::choose_columns("a-b-c", {"a", "b-c", "a-b", "c"}, 4).is_ambiguous);
}
